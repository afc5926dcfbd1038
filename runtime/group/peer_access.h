// SPDX-License-Identifier: Apache-2.0

// Whether a device copies from another's memory without the host.
#ifndef MILLRACE_RUNTIME_GROUP_PEER_ACCESS_H_
#define MILLRACE_RUNTIME_GROUP_PEER_ACCESS_H_

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>

namespace millrace {

// Whether queues like this one copy between the memory of their device and of `other`'s without the
// host, as fast as devices are joined; which they do from then on. Not where one of them has no
// memory of its own.
bool can_copy_from(Queue& queue, Device& other);

// The OpTable entry of a target whose devices have memory of their own: of another device of that
// target.
struct PeerAccessOp {
  using Function = bool(Queue&, Device& other);
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_PEER_ACCESS_H_
