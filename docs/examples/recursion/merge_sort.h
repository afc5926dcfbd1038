// SPDX-License-Identifier: Apache-2.0

// Stable merge sort by fork and join.
#ifndef MILLRACE_DOCS_EXAMPLES_RECURSION_MERGE_SORT_H_
#define MILLRACE_DOCS_EXAMPLES_RECURSION_MERGE_SORT_H_

#include <millrace/docs/examples/recursion/merge_steps.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::examples {

inline constexpr std::size_t kMaxMergeSortSize = std::size_t{1} << 27;  // Twice 1 GiB.
inline constexpr int kMaxMergeSortTask = 1 << 24;  // Pairs that a task sorts or merges.

struct MergeSortOptions {
  int cut_off = 256;   // Pairs that one task sorts at most, 1 to kMaxMergeSortTask.
  int segment = 4096;  // Pairs that one task merges at most, likewise.
  RunOptions run = {};
};

// An array of pairs in memory of a device with the scratch to sort it. One thread uses it at a
// time, and the queue must outlive it.
class MergeSorter {
 public:
  // Throws kInvalidArgument for a size outside 1 to kMaxMergeSortSize, and what Buffer does.
  MergeSorter(Queue& queue, std::size_t size);

  // Copies that many pairs to the device.
  void load(std::span<const SortPair> pairs);

  // Sorts them in place. Throws kInvalidArgument for options out of range, and what run_tasks
  // throws; then load the pairs anew.
  RunReport sort(const MergeSortOptions& options = {});

  std::vector<SortPair> pairs();

 private:
  Queue& queue_;
  Buffer<SortPair> pairs_;
  Buffer<SortPair> scratch_;
};

struct MergeSortResult {
  std::vector<SortPair> pairs;
  RunReport report;
};

// Sorts an array of the host by its keys. Pairs with the same key keep their order.
MergeSortResult merge_sort(Queue& queue, std::span<const SortPair> pairs,
                           const MergeSortOptions& options = {});

// The same by std::stable_sort.
std::vector<SortPair> sort_directly(std::span<const SortPair> pairs);

// Returns pairs with random keys below `keys`, at least 1, whose values are their indices.
std::vector<SortPair> random_pairs(std::size_t size, std::uint32_t keys, std::uint64_t seed);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_RECURSION_MERGE_SORT_H_
