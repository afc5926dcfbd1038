// SPDX-License-Identifier: Apache-2.0

// The streamed scheme of host_array_sort.h, for arrays that fit on the device.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_STREAMED_SORT_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_STREAMED_SORT_H_

#include <millrace/algorithms/radix_sort/host_array_sort.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>

namespace millrace::radix_sort {

// Sorts at least one and fewer than 2^32 records; argsort's indices begin at `first_index`. Takes
// all memory it needs before it writes any output.
void sort_streamed(Queue& queue, const DeviceSortSteps& steps, const SortArguments& arguments,
                   std::size_t first_index, const HostArraySortOptions& options,
                   SortReport& report);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_STREAMED_SORT_H_
