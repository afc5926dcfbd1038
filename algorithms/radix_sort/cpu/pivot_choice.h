// SPDX-License-Identifier: Apache-2.0

// Chooses which keys are partitioned by pivots on a CPU and sorted by Highway's vqsort, rather than
// by digits.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_PIVOT_CHOICE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_PIVOT_CHOICE_H_

#include <cstddef>

namespace millrace::radix_sort {

// Returns true if Highway's vqsort with AVX-512 sorts keys of 4 bytes without values faster than
// digits do: not on Zen 4. Thread-safe.
bool is_vqsort_fast();

// Returns true if this many keys of 4 bytes without values are partitioned by pivots by this many
// threads and then sorted by vqsort, if that is fast. Thread-safe.
bool is_profitable_to_split(std::size_t count, int threads);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_PIVOT_CHOICE_H_
