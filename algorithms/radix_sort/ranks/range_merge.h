// SPDX-License-Identifier: Apache-2.0

// The pieces of a rank's range, merged as they come.
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
  // Inputs are what `arguments` has of them, in runs; outputs go to its outputs. Both stay the
  // caller's; `queue` is for merges alone until wait(). No range has more than `most_runs`.
  RangeMerge(Queue& queue, const SortArguments& arguments, Policy policy, std::size_t most_runs);

  // Stably merges `runs`, which lie one behind the other, each sorted, to the same places of the
  // outputs.
  void enqueue(const std::vector<Chunk>& runs);

  // Returns when all are merged; throws what went wrong.
  void wait() { order_->wait(); }

 private:
  void merge(const std::vector<Chunk>& runs);

  Queue& queue_;
  const SortArguments arguments_;
  const Policy policy_;
  const bool merges_by_host_;
  Buffer<std::byte> unwanted_keys_;  // Where keys are sorted to that nobody asked for.
  const std::unique_ptr<Queue> order_;
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_RANKS_RANGE_MERGE_H_
