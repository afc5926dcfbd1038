// SPDX-License-Identifier: Apache-2.0

// Counting sort of host arrays by the digits of a range of bits.
//
// Keys of 1 byte take one pass, keys of 2 bytes alone one, which counts them and writes each value
// as often as it occurred, and with values two. A range of bits takes a pass for each 8 of them.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_DIGIT_SORT_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_DIGIT_SORT_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <functional>

namespace millrace::radix_sort {

// Calls work(0) to work(count - 1), in any order and on any threads.
using PieceLoop =
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;

// Returns true for keys of 1 or 2 bytes, and for a range of bits that is not the whole key.
bool is_by_digits(const SortArguments& arguments);

// Sorts at least one key, with checked arguments, of arrays in host memory. `device` gives working
// memory. Returns the number of passes.
int digit_sort(Device& device, const SortArguments& arguments, const PieceLoop& loop);

// The OpTable entry of a target whose queues have threads of their own. Returns the loop on them;
// each call is an operation of the queue, for which it waits. The queue must outlive it.
struct PieceLoopOp {
  using Function = PieceLoop(Queue&);
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_DIGIT_SORT_H_
