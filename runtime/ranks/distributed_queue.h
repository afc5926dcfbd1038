// SPDX-License-Identifier: Apache-2.0

// A rank's queue and its communicator. Distributed algorithms take this instead of a Queue.
//
//   DistributedQueue ranks{world_communicator(), *queue};
//   radix_sort::sort_keys<float>(ranks, my_keys, my_range);   // On every rank.
#ifndef MILLRACE_RUNTIME_RANKS_DISTRIBUTED_QUEUE_H_
#define MILLRACE_RUNTIME_RANKS_DISTRIBUTED_QUEUE_H_

#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/ranks/communicator.h>

#include <cstddef>

namespace millrace {

// Every rank makes one, and all ranks make the same calls with it. These are collective: they
// return, or throw the same error, on all ranks. There may be one call at a time on a communicator.
// The caller keeps both objects alive.
struct DistributedQueue {
  Communicator& communicator;
  Queue& queue;

  // Maximum bytes of a message, 1 to Communicator::kMostMessageBytes; the same on all ranks.
  std::size_t message_bytes = std::size_t{4} << 20;
};

// Throws kInvalidArgument if message_bytes is out of range.
void check(const DistributedQueue& ranks);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_DISTRIBUTED_QUEUE_H_
