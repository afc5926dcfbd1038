// Whether Highway's vqsort is worth calling on this processor.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_VQSORT_SPEED_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_VQSORT_SPEED_H_

namespace millrace::radix_sort {

// False on Zen 4, where it sorts a tenth as fast as on Zen 5: it stores compressed vectors, for
// each of which that processor takes some hundred cycles. Of 1e5 keys of 32 bits it sorts 39
// million a second there, and digits 525 by two threads (docs/results/2026-11-25-cpu-zen4.md).
// Thread-safe.
bool is_vqsort_fast();

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_VQSORT_SPEED_H_
