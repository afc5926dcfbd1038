// SPDX-License-Identifier: Apache-2.0

// Memory that each thread keeps for its tasks.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_THREAD_SCRATCH_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_THREAD_SCRATCH_H_

#include <cstddef>

namespace millrace::radix_sort {

// Returns at least `bytes` of uninitialized memory of the calling thread, aligned to a cache line.
// The thread's next call may free it. Throws std::bad_alloc.
std::byte* thread_scratch(std::size_t bytes);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_THREAD_SCRATCH_H_
