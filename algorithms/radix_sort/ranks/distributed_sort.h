// SPDX-License-Identifier: Apache-2.0

// The sorts of radix_sort.h over ranks: each rank gives its portion and receives its range of the
// whole.
//
//   DistributedQueue ranks{world_communicator(), *queue};
//   sort_keys<float>(ranks, in, out);
//
// Sample sort with exact cuts: every rank sorts its portion; the ranks find, by bisection, the cuts
// of the whole that leave each rank with as many records as it gave, where rank and index order
// equal keys; pieces of the ranges travel (runtime/ranks/exchange.h) while those that have arrived
// are merged. Takes memory for twice the rank's records beside its arrays.
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
  SortReport local;               // This rank's sort of its portion, before records travelled.
  std::uint64_t first_index = 0;  // Index of this rank's first record among all records.
  std::uint64_t count = 0;        // Records of all ranks.
  std::uint64_t bytes_sent = 0;   // Bytes from this rank to others.
  std::uint64_t messages = 0;
  bool is_staged = false;  // True if messages were copied through pinned memory.
  double seconds = 0;
  double exchange_seconds = 0;  // From the first message to the last merge; part of `seconds`.
};

// Collective. Sorts all ranks' records, in order of ranks, as one array; this rank's outputs are
// the arguments.count records at the indices of its inputs. Counts may differ and be 0; other
// arguments and `message_bytes` are the same on all ranks. Indices (is_argsort) count all ranks'
// keys in order. Otherwise like sort() of a Queue. Throws the same on all ranks: what sort() throws
// on one of them, or kInvalidArgument with the name of an argument that differs.
DistributedSortReport sort(const DistributedQueue& ranks, const SortArguments& arguments,
                           Policy policy = Policy::kAuto);

namespace internal {

// Collective. Like sort(); `check_own` throws other errors of this rank's arguments.
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

// Each rank chooses whether it also gets its keys.
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
