// SPDX-License-Identifier: Apache-2.0

// A rank's queue and the ranks it works with: what distributed algorithms take in place of a Queue.
#ifndef MILLRACE_RUNTIME_RANKS_DISTRIBUTED_QUEUE_H_
#define MILLRACE_RUNTIME_RANKS_DISTRIBUTED_QUEUE_H_

#include <cstddef>

#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/ranks/communicator.h>

namespace millrace {

// Every rank makes one and all make the same calls with it, which are collective: they return, or
// throw the same error, on all ranks. Calls with one communicator come one at a time.
struct DistributedQueue {
  Communicator& communicator;
  Queue& queue;

  // The most that one message has, 1 to Communicator::kMostMessageBytes, the same on all ranks.
  std::size_t message_bytes = std::size_t{4} << 20;
};

// Throws kInvalidArgument for message_bytes out of range.
void check(const DistributedQueue& ranks);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_DISTRIBUTED_QUEUE_H_
