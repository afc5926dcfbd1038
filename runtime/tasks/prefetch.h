// SPDX-License-Identifier: Apache-2.0

// Prefetches memory before a task needs it.
#ifndef MILLRACE_RUNTIME_TASKS_PREFETCH_H_
#define MILLRACE_RUNTIME_TASKS_PREFETCH_H_

#include <millrace/runtime/core/target_function.h>

namespace millrace {

// Starts loading the cache line with this address: on a GPU into the L2 cache, which all
// multiprocessors share. It has no other effect. Call it from the `prefetch` of a task (task.h).
MILLRACE_FUNCTION inline void prefetch_line(const void* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" : : "l"(__cvta_generic_to_global(address)));
#else
  __builtin_prefetch(address);
#endif
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_PREFETCH_H_
