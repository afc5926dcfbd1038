// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/group/peer_access.h>

#include <millrace/runtime/core/op_table.h>

namespace millrace {

bool can_copy_from(Queue& queue, Device& other) {
  const DeviceInfo& own = queue.device().info();
  if (own.shares_host_memory || other.info().shares_host_memory) return false;
  if (own.target != other.info().target) return false;
  auto* const enable = OpTable<PeerAccessOp>::find(queue);
  return enable != nullptr && enable(queue, other);
}

}  // namespace millrace
