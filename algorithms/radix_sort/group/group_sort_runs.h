// SPDX-License-Identifier: Apache-2.0

// Sorts by the devices of any group: each sorts runs of the input, which the host's threads merge.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_GROUP_SORT_RUNS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_GROUP_SORT_RUNS_H_

#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/runtime/group/device_group.h>

#include <cstddef>

namespace millrace::radix_sort {

// Fewest records of a run.
inline constexpr std::size_t kLeastRecordsOfDevice = std::size_t{1} << 17;

// Sorts at least one record with checked arguments whose arrays are in host memory. Takes as much
// host memory again. Adds to the report but for `seconds`.
void sort_in_group_runs(const DeviceGroup& group, const SortArguments& arguments, Policy policy,
                        std::size_t least_records, SortReport& report);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_GROUP_SORT_RUNS_H_
