// SPDX-License-Identifier: Apache-2.0

// Ranks of MPI, also in applications that use MPI themselves.
//
//   MpiCommunicator ranks(MPI_COMM_WORLD);
//   radix_sort::sort_keys<float>({ranks, *queue}, in, out);
#ifndef MILLRACE_BACKENDS_MPI_MPI_COMMUNICATOR_H_
#define MILLRACE_BACKENDS_MPI_MPI_COMMUNICATOR_H_

#include <millrace/runtime/ranks/communicator.h>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace millrace::mpi {

// The thread level that calls from several threads, one at a time, require.
inline constexpr int kThreadLevel = MPI_THREAD_SERIALIZED;

// Initializes MPI at kThreadLevel if the application has not, and finalizes it at the end of the
// process. Throws Error (kUnsupported) if MPI was initialized with less or provides less.
void initialise();

// Messages are separate from the application's: the communicator is duplicated. An error of MPI is
// thrown as Error (kIo). After it, ranks can no longer agree on anything. The process should then
// end without MPI_Finalize, so that its launcher ends the others.
class MpiCommunicator final : public Communicator {
 public:
  // Collective over `communicator`, which remains the caller's. Calls initialise(), and throws what
  // that throws.
  explicit MpiCommunicator(MPI_Comm communicator);
  ~MpiCommunicator() override;
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }

  std::unique_ptr<Transfer> send(int target, MessageTag tag, const void* data,
                                 std::size_t bytes) override;
  std::unique_ptr<Transfer> receive(int source, MessageTag tag, void* data,
                                    std::size_t bytes) override;
  // Returns true if the library reports support and MILLRACE_GPU_AWARE_MPI=1 is in the environment.
  bool takes_device_memory(const std::string& target) const override;
  void all_gather(const void* mine, std::size_t bytes, void* all) override;
  void broadcast(void* data, std::size_t bytes, int root) override;
  void all_sum(std::uint64_t* values, std::size_t count) override;

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  int local_rank_ = 0;
  int local_size_ = 1;
};

}  // namespace millrace::mpi

#endif  // MILLRACE_BACKENDS_MPI_MPI_COMMUNICATOR_H_
