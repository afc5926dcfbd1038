// SPDX-License-Identifier: Apache-2.0

// Which keys are parted by pivots on a CPU and sorted by Highway's vqsort, rather than by digits.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_PIVOT_CHOICE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_PIVOT_CHOICE_H_

#include <cstddef>

namespace millrace::radix_sort {

// Whether Highway's vqsort sorts keys of 4 bytes without values faster than digits do where there
// is AVX-512: not on Zen 4. Thread-safe.
bool is_vqsort_fast();

// Whether keys of 4 bytes without values, so many and by so many threads, are parted by pivots and
// then sorted by vqsort, where that is fast. Thread-safe.
bool pays_to_split(std::size_t count, int threads);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_PIVOT_CHOICE_H_
