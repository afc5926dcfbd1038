// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/mpi/mpi_communicator.h>
#include <millrace/backends/mpi/mpi_error.h>

#include <cstdlib>
#include <string_view>

// Functions by which libraries report which GPU memory they accept; null if a library has none.
// Open MPI has the first two, MPICH and its derivatives the others.
extern "C" {
[[gnu::weak]] int MPIX_Query_cuda_support();
[[gnu::weak]] int MPIX_Query_rocm_support();
[[gnu::weak]] int MPIX_Query_hip_support();
[[gnu::weak]] int MPIX_GPU_query_support(int kind, int* is_supported);
}

namespace millrace::mpi {
namespace {

// Arguments of MPIX_GPU_query_support.
constexpr int kCuda = 0;
constexpr int kHip = 2;

// Millrace's device memory comes from pools of the driver, which not every library accepts: some
// map it into other processes, which pools do not allow. So data is staged unless this variable is
// set.
bool is_enabled() {
  const char* const answer = std::getenv("MILLRACE_GPU_AWARE_MPI");
  return answer != nullptr && std::string_view(answer) == "1";
}

bool supports(int (*query)()) { return query != nullptr && query() == 1; }

bool supports_kind(int kind) {
  int is_supported = 0;
  return MPIX_GPU_query_support != nullptr &&
         MPIX_GPU_query_support(kind, &is_supported) == MPI_SUCCESS && is_supported != 0;
}

class MpiTransfer final : public Transfer {
 public:
  MpiTransfer(MPI_Request request, bool is_receive) : request_(request), is_receive_(is_receive) {}
  // The memory of the message is freed after the destructor. So a receive is cancelled, and a send
  // is waited for if its receiver can still be reached.
  ~MpiTransfer() override {
    if (request_ == MPI_REQUEST_NULL) return;
    if (is_receive_) {
      MPI_Cancel(&request_);
    } else if (has_failed()) {
      MPI_Request_free(&request_);
      return;
    }
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
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
  if (!is_enabled()) return false;
  if (target == "cuda") return supports(MPIX_Query_cuda_support) || supports_kind(kCuda);
  if (target != "hip") return false;
  return supports(MPIX_Query_rocm_support) || supports(MPIX_Query_hip_support) ||
         supports_kind(kHip);
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
