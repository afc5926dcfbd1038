// SPDX-License-Identifier: Apache-2.0

// Sorting arrays that are in the memory of a device.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_RESIDENT_SORT_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_RESIDENT_SORT_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/sort_memory.h>
#include <millrace/runtime/core/queue.h>

namespace millrace::radix_sort {

// Enqueues radix_sort.h's sort(), of at least one key with arguments that have been checked, with
// what else it needs taken from `memory`. Signed and floating-point keys and descending order cost
// two more passes over the keys, sorting in place one over the records.
void enqueue_resident_sort(Queue& queue, const SortArguments& arguments, SortMemory& memory);

// The same; returns when the outputs are there.
void sort_resident(Queue& queue, const SortArguments& arguments);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_RESIDENT_SORT_H_
