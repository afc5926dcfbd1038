// Which keys are parted by pivots on a CPU and sorted by Highway's vqsort, rather than by digits.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_PIVOT_CHOICE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_PIVOT_CHOICE_H_

#include <cstddef>

namespace millrace::radix_sort {

// Whether that is faster for so many keys of 4 bytes without values by so many threads, where there
// is AVX-512. Never on Zen 4. Thread-safe.
bool pays_to_split(std::size_t count, int threads);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_PIVOT_CHOICE_H_
