// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/ranks/distributed_queue.h>

namespace millrace {

void check(const DistributedQueue& ranks) {
  check_range("message_bytes", ranks.message_bytes, 1, Communicator::kMostMessageBytes);
}

}  // namespace millrace
