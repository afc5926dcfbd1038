// SPDX-License-Identifier: Apache-2.0

// Sorted runs in host memory, merged by the host's threads.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_RUN_MERGE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_RUN_MERGE_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>

#include <vector>

namespace millrace::radix_sort {

// Stably merges arguments.keys_in, and values_in where values have bytes, of which each of `runs`
// is sorted in the arguments' order, to keys_out, unless that is null, and values_out. Outputs
// overlap no inputs. Returns when they are there.
void merge_runs(const SortArguments& arguments, const std::vector<Chunk>& runs);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_RUN_MERGE_H_
