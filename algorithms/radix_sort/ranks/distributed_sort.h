// SPDX-License-Identifier: Apache-2.0

// The sorts of radix_sort.h over ranks: each gives its part and ends with its range of the whole.
//
//   DistributedQueue ranks{world_communicator(), *queue};
//   sort_keys<float>(ranks, in, out);
//
// Sample sort with exact cuts: every rank sorts its part; the ranks find, by halving, where the
// whole is to be cut so that each ends with as many records as it gave, equal keys being told apart
// by rank and place; pieces of the ranges travel (runtime/ranks/exchange.h) while those that have
// come are merged. Takes room for twice the rank's records beside its arrays.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_RANKS_DISTRIBUTED_SORT_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_RANKS_DISTRIBUTED_SORT_H_

#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/runtime/ranks/distributed_queue.h>
#include <millrace/runtime/tasks/policy.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace millrace::radix_sort {

struct DistributedSortReport {
  SortReport local;               // Of this rank's part, before records travelled.
  std::uint64_t first_place = 0;  // Of this rank's records among all, before and after,
  std::uint64_t count = 0;        // which are so many.
  std::uint64_t bytes_sent = 0;   // By this rank to others.
  std::uint64_t messages = 0;
  bool is_staged = false;  // Through pinned memory.
  double seconds = 0;
  double exchange_seconds = 0;  // Of them, from the first message to the last merge.
};

// Collective. All ranks' records, in order of ranks, are sorted as one; this rank's outputs are the
// records that come to be where its inputs are, so arguments.count of them. Counts may differ and
// be 0; other arguments and `message_bytes` are the same on all ranks. Indices (is_argsort) count
// all ranks' keys in order. Otherwise as sort() of a Queue. Throws on all ranks alike: what sort()
// throws on one, kInvalidArgument with the name of an argument that differs.
DistributedSortReport sort(const DistributedQueue& ranks, const SortArguments& arguments,
                           Policy policy = Policy::kAuto);

namespace internal {

// Collective. sort() where `check_own` throws what else is wrong with this rank's arguments.
DistributedSortReport sort(const DistributedQueue& ranks, const SortArguments& arguments,
                           Policy policy, const std::function<void()>& check_own);

}  // namespace internal

template <SortKey K>
DistributedSortReport sort_keys(const DistributedQueue& ranks, std::span<const K> in,
                                std::span<K> out, const SortOptions& options = {}) {
  SortArguments arguments = internal::arguments_of(in, options, MemorySpace::kDevice);
  arguments.keys_out = out.data();
  return internal::sort(ranks, arguments, options.policy,
                        [&] { internal::check_size("out", out.size(), in.size()); });
}

template <SortKey K, SortValue V>
DistributedSortReport sort_pairs(const DistributedQueue& ranks, std::span<const K> keys_in,
                                 std::span<const V> values_in, std::span<K> keys_out,
                                 std::span<V> values_out, const SortOptions& options = {}) {
  SortArguments arguments = internal::arguments_of(keys_in, options, MemorySpace::kDevice);
  arguments.value_bytes = sizeof(V);
  arguments.keys_out = keys_out.data();
  arguments.values_in = values_in.data();
  arguments.values_out = values_out.data();
  return internal::sort(ranks, arguments, options.policy, [&] {
    internal::check_size("values_in", values_in.size(), keys_in.size());
    internal::check_size("keys_out", keys_out.size(), keys_in.size());
    internal::check_size("values_out", values_out.size(), keys_in.size());
  });
}

// Each rank chooses whether it wants its keys, too.
template <SortKey K, SortIndex I>
DistributedSortReport argsort(const DistributedQueue& ranks, std::span<const K> keys,
                              std::span<I> indices, std::span<K> keys_out = {},
                              const SortOptions& options = {}) {
  SortArguments arguments = internal::arguments_of(keys, options, MemorySpace::kDevice);
  arguments.value_bytes = sizeof(I);
  arguments.is_argsort = true;
  arguments.keys_out = keys_out.data();
  arguments.values_out = indices.data();
  return internal::sort(ranks, arguments, options.policy, [&] {
    internal::check_size("indices", indices.size(), keys.size());
    if (!keys_out.empty()) internal::check_size("keys_out", keys_out.size(), keys.size());
  });
}

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_RANKS_DISTRIBUTED_SORT_H_
