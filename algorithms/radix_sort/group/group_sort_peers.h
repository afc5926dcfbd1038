// SPDX-License-Identifier: Apache-2.0

// A sort of host arrays by devices that copy from each other: each brings up a part of the input
// and sorts it; then splitters cut all of those at the same keys, and each device takes one range
// of keys out of all of them, merges it and sends it down. The host moves no record.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_GROUP_SORT_PEERS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_GROUP_SORT_PEERS_H_

#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/runtime/group/device_group.h>

namespace millrace::radix_sort {

// Whether all devices have memory of their own, enough of it, and copy from each other; which they
// do from then on.
bool can_sort_by_peers(const DeviceGroup& group, const SortArguments& arguments);

// Of at least one record with arguments that are checked, where the above is so. Adds to the report
// but for `seconds`.
void sort_by_peers(const DeviceGroup& group, const SortArguments& arguments, SortReport& report);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_GROUP_SORT_PEERS_H_
