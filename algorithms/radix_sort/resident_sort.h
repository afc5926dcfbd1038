// SPDX-License-Identifier: Apache-2.0

// Sorts arrays that are in the memory of a device.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_RESIDENT_SORT_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_RESIDENT_SORT_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/sort_memory.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/runtime/core/queue.h>

namespace millrace::radix_sort {

// Enqueues a sort of at least one key with checked arguments. Takes its working memory from
// `memory`. Signed and floating-point keys and descending order cost two more passes over the keys,
// sorting in place one more over the records. `steps` are the queue's (sort_steps_of).
void enqueue_resident_sort(Queue& queue, const DeviceSortSteps& steps,
                           const SortArguments& arguments, SortMemory& memory);

// Sorts likewise, and returns when the outputs are complete.
void sort_resident(Queue& queue, const DeviceSortSteps& steps, const SortArguments& arguments);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_RESIDENT_SORT_H_
