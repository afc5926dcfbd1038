// SPDX-License-Identifier: Apache-2.0

// Sorts records that one thread sorts faster than several, or than a device.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SMALL_SORT_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SMALL_SORT_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>

#include <cstddef>

namespace millrace::radix_sort {

// Sorts fewer than 2^32 records of host arrays, with checked arguments, by the calling thread; in
// the caches, if they fit. The thread keeps up to 8 MiB for its next sort. Throws std::bad_alloc.
void sort_small(const SortArguments& arguments, std::size_t first_index);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SMALL_SORT_H_
