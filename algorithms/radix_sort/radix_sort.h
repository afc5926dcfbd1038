// SPDX-License-Identifier: Apache-2.0

// Stable sorting of keys, alone or with values.
//
// On a CPU by tasks, for the most part by digits after Lee, Lo, Chen, Chung and Chung, "GPU
// Performance Enhancement via Communication Cost Reduction", section III.B: a pass by the most
// significant digit into buckets, which are balanced and then sorted separately. On a device with
// memory of its own by the radix sort of its vendor's library, to which arrays of the host are
// streamed (host_array_sort.h); on a simulated device by passes of Millrace's own kernels.
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
#include <millrace/runtime/group/item_sharing.h>
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

  // Space of the arrays; by default kDevice for a queue, also over ranks, and kHost for a group.
  // Devices with memory of their own stream kHost and kPinned arrays through it; the CPU treats all
  // spaces alike.
  std::optional<MemorySpace> space{};

  Policy policy = Policy::kAuto;  // Schedules buckets, which are tasks on CPUs only.

  // Applies to sorted keys that are streamed to the host. Keys that coding does not make smaller
  // are sent raw.
  CodecUse codec = CodecUse::kMeasured;

  BitRange bits{};  // Bits of the keys that decide (SortArguments::bits).

  // See SortArguments::count_in.
  const std::uint64_t* count_in = nullptr;
};

struct SortReport {
  double seconds = 0;
  Policy policy = Policy::kAuto;  // Scheduled the buckets; kAuto if they were not tasks.
  std::uint64_t partitions = 0;   // Passes by a highest digit or a pivot over a range of records;
                                  // by any digit if digits alone sorted them.
  std::uint64_t buckets = 0;      // Sorted separately, after small neighbours were merged.
  std::uint64_t bytes_up = 0;     // Bytes that the link to the device uploads.
  std::uint64_t bytes_down = 0;
  std::string codec = "raw";              // Name of the codec of downloaded keys.
  std::uint64_t coded_segments = 0;       // Segments of keys that were downloaded coded,
  std::uint64_t raw_segments = 0;         // and raw.
  std::uint64_t codec_trials = 0;         // Sorts, or runs of one, coded to measure a rate.
  std::vector<DevicePortion> portions{};  // One for each device of a group, in records.
};

// Waits for everything in `queue`, sorts, and returns when the outputs are complete. The arrays
// belong to the caller. Throws kInvalidArgument for arguments other than sort_arguments.h describes
// and for more keys than indices of `value_bytes` can number, kUnsupported on a backend that cannot
// sort, kOutOfMemory, and what Queue::wait throws. After an error the outputs are unspecified.
// Working memory stays in the device's pools (runtime/core/internal/memory_pool.h) for the next
// sort.
SortReport sort(Queue& queue, const SortArguments& arguments, Policy policy = Policy::kAuto);

// Sorts likewise by the devices of a group, each of which sorts a portion. For a group of several
// devices the arrays are in host memory (kHost or kPinned), and as much host memory again is taken
// if devices cannot copy from each other. Also throws what share_items() throws.
SortReport sort(const DeviceGroup& group, const SortArguments& arguments,
                Policy policy = Policy::kAuto);

// The OpTable entry of a target that sorts by tasks in host memory. Sorts at least one key, with
// checked arguments, once the queue has passed what is in it. Fills the report but for `seconds`.
// Returns when the outputs are complete. Devices with memory of their own have SortStepsOp instead
// (sort_steps.h).
struct RadixSortOp {
  using Function = void(Queue&, const SortArguments&, Policy, SortReport&);
};

// The bits of a number in IEEE 754's binary16.
struct Float16 {
  std::uint16_t bits = 0;
};

// A key is an integer of 1 to 8 bytes or an IEEE number of 2 to 8, a value any trivially copyable
// type of 4 or 8 bytes.
template <class K>
concept SortKey =
    (std::integral<K> && !std::same_as<K, bool> && sizeof(K) <= 8) ||
    (std::floating_point<K> && (sizeof(K) == 4 || sizeof(K) == 8)) || std::same_as<K, Float16>;

template <class V>
concept SortValue = std::is_trivially_copyable_v<V> &&(sizeof(V) == 4 || sizeof(V) == 8);

template <class I>
concept SortIndex = std::unsigned_integral<I> &&(sizeof(I) == 4 || sizeof(I) == 8);

template <SortKey K>
constexpr KeyType key_type_of() {
  if constexpr (std::same_as<K, Float16>) return KeyType::kF16;
  if constexpr (std::is_floating_point_v<K>) return sizeof(K) == 4 ? KeyType::kF32 : KeyType::kF64;
  constexpr bool kIsSigned = std::is_signed_v<K>;
  switch (sizeof(K)) {
    case 1: return kIsSigned ? KeyType::kI8 : KeyType::kU8;
    case 2: return kIsSigned ? KeyType::kI16 : KeyType::kU16;
    case 4: return kIsSigned ? KeyType::kI32 : KeyType::kU32;
    default: return kIsSigned ? KeyType::kI64 : KeyType::kU64;
  }
}

// A queue or a group.
template <class On>
concept Sorter =
    std::is_base_of_v<Queue, On> || std::is_same_v<std::remove_const_t<On>, DeviceGroup>;

namespace internal {

// Throws kInvalidArgument for wrong arguments of at least one key. `count_in` is not read.
void check_arguments(const SortArguments& arguments);

// Throws kUnsupported if no sort is linked for the queue's device.
void check_linked(const Queue& queue);

// Sorts at least one key, with checked arguments, once the queue has passed what is in it: by tasks
// on a CPU, and by steps in the memory of other devices. Fills the report but for `seconds`.
// Returns when the outputs are complete.
void sort_checked(Queue& queue, const SortArguments& arguments, Policy policy, SortReport& report);

// Returns the arguments with the number that `count_in` points to, once the queue has passed what
// is in it. Throws kInvalidArgument if the number is larger than `count`.
SortArguments with_known_count(Queue& queue, const SortArguments& capacity);

// Throws kInvalidArgument with the name and both numbers if they differ.
void check_size(const char* name, std::size_t size, std::size_t keys);

template <SortKey K>
SortArguments arguments_of(std::span<const K> keys, const SortOptions& options,
                           MemorySpace default_space) {
  return {.key_type = key_type_of<K>(),
          .order = options.order,
          .count = keys.size(),
          .keys_in = keys.data(),
          .space = options.space.value_or(default_space),
          .codec = options.codec,
          .bits = options.bits,
          .count_in = options.count_in};
}

template <Sorter On>
inline constexpr MemorySpace kDefaultSpace =
    std::is_base_of_v<Queue, On> ? MemorySpace::kDevice : MemorySpace::kHost;

}  // namespace internal

// All spans of a call have the same size. See sort() for errors, SortArguments for the order and
// for overlaps.
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

// Writes the indices, in `keys`, of its keys in order; and those keys, if `keys_out` is not empty.
// Indices of 4 bytes number up to 2^32 keys.
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
