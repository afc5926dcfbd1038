// SPDX-License-Identifier: Apache-2.0

// Stable sorting of keys, alone or with values, by digits: after Lee, Lo, Chen, Chung and Chung,
// "GPU Performance Enhancement via Communication Cost Reduction", section III.B: one pass by the
// most significant digit into buckets, which are balanced and then sorted apart.
//
//   sort_keys<float>(*queue, in, out);
//   sort_pairs<std::uint32_t, std::uint64_t>(*queue, keys, values, keys_out, values_out,
//                                            {.order = SortOrder::kDescending});
//   argsort<double, std::uint32_t>(*queue, keys, indices);   // keys[indices[0]] is the least
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/work_sharing.h>
#include <millrace/runtime/tasks/policy.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace millrace::radix_sort {

struct SortOptions {
  SortOrder order = SortOrder::kAscending;

  // Where the arrays are; by default kDevice of a queue, also of one among ranks, and kHost of a
  // group. With kHost and kPinned, devices with memory of their own stream them through it; the CPU
  // takes all spaces alike.
  std::optional<MemorySpace> space{};

  Policy policy = Policy::kAuto;  // How buckets meet workers, where they are tasks: on CPUs.

  // Of sorted keys that are streamed to the host. Those that coding does not make smaller go raw.
  CodecUse codec = CodecUse::kMeasured;
};

struct SortReport {
  double seconds = 0;
  Policy policy = Policy::kAuto;  // What scheduled the buckets; kAuto where they were no tasks.
  std::uint64_t partitions = 0;   // Passes by a highest digit or a pivot, of the whole or of parts.
  std::uint64_t buckets = 0;      // Sorted apart, after small neighbours were merged.
  std::uint64_t bytes_up = 0;     // Over the link to the device.
  std::uint64_t bytes_down = 0;
  std::string codec = "raw";          // What made them fewer than the arrays have.
  std::uint64_t coded_segments = 0;   // Of sorted keys that were streamed to the host,
  std::uint64_t raw_segments = 0;     // and those that went as they are.
  std::uint64_t codec_trials = 0;     // Sorts, or runs of one, that were coded to learn of a rate.
  std::vector<DeviceShare> shares{};  // Of a group: each device's, in records.
};

// Waits for everything in `queue`, sorts, and returns when the outputs are there. The arrays belong
// to the caller. Throws kInvalidArgument for arguments other than sort_arguments.h describes, for
// more keys than indices of `value_bytes` can tell apart, kUnsupported on a backend that cannot
// sort, kOutOfMemory, and what Queue::wait throws. After an error the outputs hold anything.
// Working memory stays in the device's pools (runtime/core/memory_pool.h) for the next sort.
SortReport sort(Queue& queue, const SortArguments& arguments, Policy policy = Policy::kAuto);

// The same by the devices of a group, each of which sorts a part; of a group of several the arrays
// are in memory of the host (kHost or kPinned), and as much host memory again is taken where
// devices cannot copy from each other. Throws as share_work(), too.
SortReport sort(const DeviceGroup& group, const SortArguments& arguments,
                Policy policy = Policy::kAuto);

// The OpTable entry: sorts at least one key, with arguments that have been checked, once the queue
// has passed what is in it; fills the report but for `seconds`. Returns when the outputs are there.
struct RadixSortOp {
  using Function = void(Queue&, const SortArguments&, Policy, SortReport&);
};

// A key is an integer or IEEE number, a value anything trivially copyable, of 4 or 8 bytes each.
template <class K>
concept SortKey = (std::integral<K> || std::floating_point<K>)&&(sizeof(K) == 4 || sizeof(K) == 8);

template <class V>
concept SortValue = std::is_trivially_copyable_v<V> &&(sizeof(V) == 4 || sizeof(V) == 8);

template <class I>
concept SortIndex = std::unsigned_integral<I> &&(sizeof(I) == 4 || sizeof(I) == 8);

template <SortKey K>
constexpr KeyType key_type_of() {
  if constexpr (std::is_floating_point_v<K>) return sizeof(K) == 4 ? KeyType::kF32 : KeyType::kF64;
  if constexpr (std::is_signed_v<K>) return sizeof(K) == 4 ? KeyType::kI32 : KeyType::kI64;
  return sizeof(K) == 4 ? KeyType::kU32 : KeyType::kU64;
}

// What sorts: a queue's device, or a group.
template <class On>
concept Sorter =
    std::is_base_of_v<Queue, On> || std::is_same_v<std::remove_const_t<On>, DeviceGroup>;

namespace internal {

// Throws kInvalidArgument for arguments that are none, of at least one key.
void check_arguments(const SortArguments& arguments);

// Throws kInvalidArgument with the name and both numbers when they differ.
void check_size(const char* name, std::size_t size, std::size_t keys);

template <SortKey K>
SortArguments arguments_of(std::span<const K> keys, const SortOptions& options,
                           MemorySpace default_space) {
  return {.key_type = key_type_of<K>(),
          .order = options.order,
          .count = keys.size(),
          .keys_in = keys.data(),
          .space = options.space.value_or(default_space),
          .codec = options.codec};
}

// Of what sorts.
template <Sorter On>
inline constexpr MemorySpace kDefaultSpace =
    std::is_base_of_v<Queue, On> ? MemorySpace::kDevice : MemorySpace::kHost;

}  // namespace internal

// All spans of a call have the same size. See sort() for what is thrown, SortArguments for the
// order and for what may overlap.
template <SortKey K, Sorter On>
SortReport sort_keys(On& on, std::span<const K> in, std::span<K> out,
                     const SortOptions& options = {}) {
  internal::check_size("out", out.size(), in.size());
  SortArguments arguments = internal::arguments_of(in, options, internal::kDefaultSpace<On>);
  arguments.keys_out = out.data();
  return sort(on, arguments, options.policy);
}

template <SortKey K, SortValue V, Sorter On>
SortReport sort_pairs(On& on, std::span<const K> keys_in, std::span<const V> values_in,
                      std::span<K> keys_out, std::span<V> values_out,
                      const SortOptions& options = {}) {
  internal::check_size("values_in", values_in.size(), keys_in.size());
  internal::check_size("keys_out", keys_out.size(), keys_in.size());
  internal::check_size("values_out", values_out.size(), keys_in.size());
  SortArguments arguments = internal::arguments_of(keys_in, options, internal::kDefaultSpace<On>);
  arguments.value_bytes = sizeof(V);
  arguments.keys_out = keys_out.data();
  arguments.values_in = values_in.data();
  arguments.values_out = values_out.data();
  return sort(on, arguments, options.policy);
}

// Writes the places, in `keys`, of its keys in order; and those keys, where `keys_out` is not
// empty. An index of 4 bytes is good for up to 2^32 keys.
template <SortKey K, SortIndex I, Sorter On>
SortReport argsort(On& on, std::span<const K> keys, std::span<I> indices,
                   std::span<K> keys_out = {}, const SortOptions& options = {}) {
  internal::check_size("indices", indices.size(), keys.size());
  if (!keys_out.empty()) internal::check_size("keys_out", keys_out.size(), keys.size());
  SortArguments arguments = internal::arguments_of(keys, options, internal::kDefaultSpace<On>);
  arguments.value_bytes = sizeof(I);
  arguments.is_argsort = true;
  arguments.keys_out = keys_out.data();
  arguments.values_out = indices.data();
  return sort(on, arguments, options.policy);
}

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_H_
