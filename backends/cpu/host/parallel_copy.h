// SPDX-License-Identifier: Apache-2.0

// Copies and fills of host memory at the rate of the memory, not of one core.
#ifndef MILLRACE_BACKENDS_CPU_HOST_PARALLEL_COPY_H_
#define MILLRACE_BACKENDS_CPU_HOST_PARALLEL_COPY_H_

#include <millrace/backends/cpu/host/cpu_threads.h>

#include <cstddef>

namespace millrace::cpu {

// Copies like memcpy, with `threads`, inside an operation of theirs. A target larger than the
// caches is written past them. The ranges must not overlap.
void parallel_copy(CpuThreads& threads, void* target, const void* source, std::size_t bytes);

// Sets `bytes` bytes to `value` on the threads.
void parallel_fill(CpuThreads& threads, void* target, std::byte value, std::size_t bytes);

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_HOST_PARALLEL_COPY_H_
