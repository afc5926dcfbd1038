// SPDX-License-Identifier: Apache-2.0

// Merges sorted runs in host memory by the host's threads.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_RUN_MERGE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_RUN_MERGE_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>

#include <vector>

namespace millrace::radix_sort {

// Merges arguments.keys_in, and values_in if value_bytes is not 0, to keys_out, unless that is
// null, and values_out; stable. Each of `runs` is sorted in the arguments' order. Outputs overlap
// no inputs. Returns when they are complete.
void merge_runs(const SortArguments& arguments, const std::vector<RecordSpan>& runs);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_RUN_MERGE_H_
