// SPDX-License-Identifier: Apache-2.0

// The arrays that sorts of the CPU are timed with: ours, and those of others, which sort in place.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_CPU_SORT_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_CPU_SORT_WORKLOAD_H_

#include <millrace/algorithms/radix_sort/key_distribution.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/benchmarks/peers/sort_peers.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace millrace::tools {

// Arrays of `count` keys and of pairs, all in one piece, and memory for what is sorted. Short ones
// are many: then all are sorted at a time, one after another.
class CpuSortWorkload {
 public:
  // `queue` is one of a device that shares the host's memory, and outlives this object.
  CpuSortWorkload(Queue& queue, radix_sort::KeyDistribution distribution, std::size_t count);

  // Sorted at a time, in all.
  std::size_t elements() const { return keys_.size(); }

  std::span<const std::uint32_t> keys() const { return {keys_.data(), keys_.size()}; }

  void sort_keys(Policy policy = Policy::kAuto);
  void sort_pairs(Policy policy = Policy::kAuto);

  // Before each run all find their arrays in the caches as far as these go: ours its outputs, and
  // peers, which sort in place, what they are to sort.
  void touch_outputs();
  void fill_peers_keys();
  void fill_peers_pairs();
  void sort_keys(const SortPeer& peer);
  void sort_pairs(const SortPeer& peer);

  // Each sorts, and throws kInternal unless the result is right: of ours pairs stable.
  void check_keys(Policy policy = Policy::kAuto);
  void check_pairs(Policy policy = Policy::kAuto);
  void check_keys(const SortPeer& peer);
  void check_pairs(const SortPeer& peer);

 private:
  template <class T>
  Buffer<T> array();
  void for_arrays(const std::function<void(std::size_t)>& action) const;
  void expect_sorted_keys();
  void expect_indices(std::size_t begin) const;

  Queue& queue_;
  const std::size_t count_;
  const std::size_t arrays_;
  Buffer<std::uint32_t> keys_;
  Buffer<std::uint32_t> values_;
  Buffer<std::uint32_t> keys_out_;
  Buffer<std::uint32_t> values_out_;
  Buffer<KeyValue> pairs_;
  std::vector<std::uint32_t> sorted_;  // Keys, by std::sort; made when first wanted.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_CPU_SORT_WORKLOAD_H_
