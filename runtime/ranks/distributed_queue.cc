// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/ranks/distributed_queue.h>

#include <string>

#include <millrace/runtime/core/error.h>

namespace millrace {

void check(const DistributedQueue& ranks) {
  constexpr std::size_t kMost = Communicator::kMostMessageBytes;
  if (ranks.message_bytes >= 1 && ranks.message_bytes <= kMost) return;
  throw Error(ErrorCode::kInvalidArgument, "message_bytes is " +
                                               std::to_string(ranks.message_bytes) +
                                               "; it is 1 to " + std::to_string(kMost));
}

}  // namespace millrace
