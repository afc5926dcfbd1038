// SPDX-License-Identifier: Apache-2.0

// Ranks that are threads of one process, for tests of distributed algorithms.
//
//   run_ranks(4, [&](Communicator& communicator) { ... });
#ifndef MILLRACE_RUNTIME_TESTING_RUN_RANKS_H_
#define MILLRACE_RUNTIME_TESTING_RUN_RANKS_H_

#include <millrace/runtime/ranks/communicator.h>

#include <exception>
#include <functional>
#include <vector>

namespace millrace {

struct ThreadRanksOptions {
  bool takes_device_memory = false;  // Set only for devices whose memory the host can copy.
};

// Calls `rank` on a thread for each of `size` ranks. Returns the exception of each rank, or null
// for a rank that returned. Ranks that wait for a rank that has ended receive kIo.
std::vector<std::exception_ptr> catch_ranks(int size,
                                            const std::function<void(Communicator&)>& rank,
                                            const ThreadRanksOptions& options = {});

// Runs the ranks as catch_ranks() does and throws the exception of the lowest rank that threw one.
// If the process was started as one of at least `size` (runtime/ranks/world.h), the first `size`
// processes are the ranks instead, and all throw the error of the lowest one.
void run_ranks(int size, const std::function<void(Communicator&)>& rank,
               const ThreadRanksOptions& options = {});

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TESTING_RUN_RANKS_H_
