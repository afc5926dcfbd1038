// SPDX-License-Identifier: Apache-2.0

// Helpers that tests of calls over ranks share.
#ifndef MILLRACE_TESTS_CONFORMANCE_RANKS_H_
#define MILLRACE_TESTS_CONFORMANCE_RANKS_H_

#include <millrace/runtime/ranks/distributed_queue.h>

#include <functional>
#include <string>

namespace millrace::conformance {

// Expects that each of `size` ranks, with a queue of some_device_name(), throws an Error of
// `words`.
void expect_thrown(int size, const std::string& words,
                   const std::function<void(const DistributedQueue&)>& rank);

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_RANKS_H_
