// SPDX-License-Identifier: Apache-2.0

// Sorts host arrays by devices that copy from each other: each uploads a slice of the input and
// sorts it; then splitters cut all slices at the same keys, and each device copies one range of
// keys from all of them, merges it and downloads it. The host moves no record.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_GROUP_SORT_PEERS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_GROUP_SORT_PEERS_H_

#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/runtime/group/device_group.h>

namespace millrace::radix_sort {

// Returns true if all devices have memory of their own, enough of it, and can copy from each other.
// Enables these copies.
bool can_sort_by_peers(const DeviceGroup& group, const SortArguments& arguments);

// Sorts at least one record with checked arguments, if can_sort_by_peers(). Adds to the report but
// for `seconds`.
void sort_by_peers(const DeviceGroup& group, const SortArguments& arguments, SortReport& report);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_GROUP_SORT_PEERS_H_
