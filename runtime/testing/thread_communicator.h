// SPDX-License-Identifier: Apache-2.0

// Ranks that are threads of one process: what tests of distributed algorithms run on everywhere.
//
//   run_ranks(4, [&](Communicator& communicator) { ... });
#ifndef MILLRACE_RUNTIME_TESTING_THREAD_COMMUNICATOR_H_
#define MILLRACE_RUNTIME_TESTING_THREAD_COMMUNICATOR_H_

#include <exception>
#include <functional>
#include <vector>

#include <millrace/runtime/ranks/communicator.h>

namespace millrace {

struct ThreadRanksOptions {
  bool takes_device_memory = false;  // Only for devices whose memory the host can copy.
};

// Calls `rank` on a thread for each of `size` ranks, and returns what each threw, null where it
// returned. A rank that has ended is lost to others, who get kIo where they wait for it.
std::vector<std::exception_ptr> catch_ranks(int size,
                                            const std::function<void(Communicator&)>& rank,
                                            const ThreadRanksOptions& options = {});

// The same, and throws what the lowest rank threw that did. But in a process that was started with
// others (runtime/ranks/world.h), as many as `size` or more, the first `size` of these are the
// ranks, each calls `rank` itself, and all throw what the lowest threw.
void run_ranks(int size, const std::function<void(Communicator&)>& rank,
               const ThreadRanksOptions& options = {});

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TESTING_THREAD_COMMUNICATOR_H_
