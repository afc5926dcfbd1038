// SPDX-License-Identifier: Apache-2.0

// Chooses which keys are partitioned by pivots on a CPU and sorted by Highway's vqsort, rather than
// by digits.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_VQSORT_CHOICE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_VQSORT_CHOICE_H_

#include <cstddef>

namespace millrace::radix_sort {

// Seconds that one thread takes for the same keys of 4 bytes in its cache.
struct SortTimes {
  double by_vqsort = 0;
  double by_digits = 0;
};

// Sorts some thousand keys both ways, which takes 0.1 to 0.3 ms.
SortTimes measure_sorts();

// Returns true if vqsort is fast enough for keys without values to go by pivots: if it takes at
// most twice as long as digits, which have passes over memory before their buckets are sorted.
constexpr bool is_fast_enough(const SortTimes& times) {
  return times.by_vqsort <= 2 * times.by_digits;
}

// Returns what is_fast_enough() is on this processor, measured once per process. Thread-safe.
bool is_vqsort_fast();

// Returns true if this many keys of 4 bytes without values are partitioned by pivots by this many
// threads and then sorted by vqsort, if that is fast.
bool is_profitable_to_split(std::size_t count, int threads);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_VQSORT_CHOICE_H_
