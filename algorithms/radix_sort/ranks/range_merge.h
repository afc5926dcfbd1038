// SPDX-License-Identifier: Apache-2.0

// Merges the pieces of a rank's range as they arrive.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_RANKS_RANGE_MERGE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_RANKS_RANGE_MERGE_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/policy.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace millrace::radix_sort {

// Enqueues merges that run one after another beside the calling thread.
class RangeMerge {
 public:
  // Merges the inputs of `arguments`, which are runs, to its outputs. Both belong to the caller.
  // Until wait() only merges use `queue`. No range has more than `most_runs`.
  RangeMerge(Queue& queue, const SortArguments& arguments, Policy policy, std::size_t most_runs);

  // Enqueues a stable merge of `runs`, which are adjacent and each sorted, to the same indices of
  // the outputs.
  void enqueue(const std::vector<RecordSpan>& runs);

  // Returns when all are merged. Throws the first error.
  void wait() { order_->wait(); }

 private:
  void merge(const std::vector<RecordSpan>& runs);

  Queue& queue_;
  const SortArguments arguments_;
  const Policy policy_;
  const bool merges_by_host_;
  Buffer<std::byte> unwanted_keys_;  // Output of keys that the caller does not want.
  const std::unique_ptr<Queue> order_;
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_RANKS_RANGE_MERGE_H_
