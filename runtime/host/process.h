// SPDX-License-Identifier: Apache-2.0

// Which process this is, of those that come from one another by fork(): of a parent's threads and
// GPUs its child has only what looks like them.
#ifndef MILLRACE_RUNTIME_HOST_PROCESS_H_
#define MILLRACE_RUNTIME_HOST_PROCESS_H_

namespace millrace {

// How often this process, or one that it comes from, was the child of a fork since this was first
// called. Costs a load.
int process_generation();

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_PROCESS_H_
