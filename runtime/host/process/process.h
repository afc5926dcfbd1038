// SPDX-License-Identifier: Apache-2.0

// Detects that the process is the child of a fork(), which has neither the threads nor the GPU
// contexts of its parent, though objects that refer to them were copied.
#ifndef MILLRACE_RUNTIME_HOST_PROCESS_PROCESS_H_
#define MILLRACE_RUNTIME_HOST_PROCESS_PROCESS_H_

namespace millrace {

// Returns the number of forks between the process that first called this function and this one. An
// object that was made at another value belongs to an ancestor. Costs one load. Thread-safe.
int process_generation();

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_PROCESS_PROCESS_H_
