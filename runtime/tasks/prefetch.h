// SPDX-License-Identifier: Apache-2.0

// Asks for memory before it is needed.
#ifndef MILLRACE_RUNTIME_TASKS_PREFETCH_H_
#define MILLRACE_RUNTIME_TASKS_PREFETCH_H_

#include <millrace/runtime/core/target_function.h>

namespace millrace {

// Starts bringing the line of memory with this address into a cache, on a GPU one that all its
// multiprocessors share; changes nothing else. For the `prefetch` of a task (task.h).
MILLRACE_FUNCTION inline void prefetch_line(const void* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" : : "l"(__cvta_generic_to_global(address)));
#else
  __builtin_prefetch(address);
#endif
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_PREFETCH_H_
