// SPDX-License-Identifier: Apache-2.0

// Chooses which keys without values are sorted by pivots on a CPU, rather than by digits.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_QUICK_SORT_CHOICE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_QUICK_SORT_CHOICE_H_

#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {

// Seconds that one thread takes for the same keys in its cache.
struct SortTimes {
  double by_pivots = 0;
  double by_digits = 0;
};

// Sorts some thousand uniform keys of type K both ways, which takes 0.1 to 0.3 ms. K is
// std::uint32_t or std::uint64_t, for keys of as many bytes. This processor has a quick sort
// (Kernels::quick_sort).
template <class K>
SortTimes measure_sorts();

// Returns true if pivots may replace digits: if they take at most 1.5 times as long for
// uniform keys. Floating-point numbers of one range take 5 times as long by digits as uniform keys,
// and by pivots as long (docs/experiments/when_to_sort_by_pivots.md).
constexpr bool is_fast_enough(const SortTimes& times) {
  return times.by_pivots <= 1.5 * times.by_digits;
}

// Returns what is_fast_enough() is on this processor, measured once per process, and false if the
// processor has no quick sort. Thread-safe.
template <class K>
bool is_quick_sort_fast();

// Returns true if this many keys of `key_bytes` without values are partitioned by pivots by this
// many threads, if quick sort is fast. `is_skewed` is true if many have the same first digit.
bool is_profitable_to_split(std::size_t count, std::size_t key_bytes, int threads, bool is_skewed);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_QUICK_SORT_CHOICE_H_
