// SPDX-License-Identifier: Apache-2.0

// The definition of sorting, which every backend must agree with to the bit. One thread, slow,
// thread-safe.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_REFERENCE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_REFERENCE_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>

namespace millrace::radix_sort {

// Sorts as sort_arguments.h describes. The arrays are in host memory.
void reference_sort(const SortArguments& arguments);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_REFERENCE_H_
