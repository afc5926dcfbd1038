#include <millrace/backends/mpi/mpi_communicator.h>

// Where the library says what of a GPU's memory it takes.
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <millrace/backends/mpi/mpi_error.h>

namespace millrace::mpi {
namespace {

bool takes_cuda_memory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

bool takes_hip_memory() {
#if defined(OMPI_HAVE_MPI_EXT_ROCM) && OMPI_HAVE_MPI_EXT_ROCM
  return MPIX_Query_rocm_support() == 1;
#else
  return false;
#endif
}

class MpiTransfer final : public Transfer {
 public:
  MpiTransfer(MPI_Request request, bool is_receive) : request_(request), is_receive_(is_receive) {}
  ~MpiTransfer() override {
    if (request_ == MPI_REQUEST_NULL) return;
    if (is_receive_) MPI_Cancel(&request_);  // Its memory goes, too.
    MPI_Request_free(&request_);
  }
  MpiTransfer(const MpiTransfer&) = delete;
  MpiTransfer& operator=(const MpiTransfer&) = delete;

  bool is_done() override {
    int flag = 0;
    check(MPI_Test(&request_, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
  }

 private:
  MPI_Request request_;
  const bool is_receive_;
};

}  // namespace

MpiCommunicator::MpiCommunicator(MPI_Comm communicator) {
  initialise();
  check(MPI_Comm_dup(communicator, &communicator_));
  check(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN));
  check(MPI_Comm_rank(communicator_, &rank_));
  check(MPI_Comm_size(communicator_, &size_));
  MPI_Comm local = MPI_COMM_NULL;
  check(MPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &local));
  check(MPI_Comm_rank(local, &local_rank_));
  check(MPI_Comm_size(local, &local_size_));
  check(MPI_Comm_free(&local));
}

MpiCommunicator::~MpiCommunicator() {
  int is_finalised = 0;
  MPI_Finalized(&is_finalised);
  if (is_finalised == 0 && !has_failed()) MPI_Comm_free(&communicator_);
}

std::unique_ptr<Transfer> MpiCommunicator::send(int target, MessageTag tag, const void* data,
                                                std::size_t bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, target, static_cast<int>(tag),
                  communicator_, &request));
  return std::make_unique<MpiTransfer>(request, /*is_receive=*/false);
}

std::unique_ptr<Transfer> MpiCommunicator::receive(int source, MessageTag tag, void* data,
                                                   std::size_t bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, source, static_cast<int>(tag),
                  communicator_, &request));
  return std::make_unique<MpiTransfer>(request, /*is_receive=*/true);
}

bool MpiCommunicator::takes_device_memory(const std::string& target) const {
  if (target == "cuda") return takes_cuda_memory();
  if (target == "hip") return takes_hip_memory();
  return false;
}

void MpiCommunicator::all_gather(const void* mine, std::size_t bytes, void* all) {
  const auto count = static_cast<int>(bytes);
  check(MPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, communicator_));
}

void MpiCommunicator::broadcast(void* data, std::size_t bytes, int root) {
  check(MPI_Bcast(data, static_cast<int>(bytes), MPI_BYTE, root, communicator_));
}

void MpiCommunicator::all_sum(std::uint64_t* values, std::size_t count) {
  check(MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_UINT64_T, MPI_SUM,
                      communicator_));
}

}  // namespace millrace::mpi
