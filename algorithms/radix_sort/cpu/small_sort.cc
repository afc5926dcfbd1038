// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/aligned_bytes.h>
#include <millrace/algorithms/radix_sort/cpu/small_sort.h>
#include <millrace/algorithms/radix_sort/cpu/sort_range.h>
#include <millrace/algorithms/radix_sort/cpu/thread_scratch.h>
#include <millrace/algorithms/radix_sort/key_bits.h>

#include <bit>
#include <cstdint>

namespace millrace::radix_sort {
namespace {

constexpr std::size_t kMostKept = std::size_t{8} << 20;

template <class K, class V>
void sort_small(const SortArguments& arguments, std::size_t first_index) {
  const auto bits = KeyBits<K>::of(arguments.key_type, arguments.order);
  const std::size_t count = arguments.count;
  auto* keys_to = static_cast<K*>(arguments.keys_out);
  const std::size_t bytes_of_unwanted = keys_to == nullptr ? aligned_keys_bytes<K>(count) : 0;
  const std::size_t bytes = bytes_of_unwanted + bucket_scratch_bytes<K, V>(count);
  AlignedBytes large;
  if (bytes > kMostKept) large = aligned_bytes(bytes);
  // Powers of two, so that a thread whose sorts grow seldom allocates.
  std::byte* const scratch = large == nullptr ? thread_scratch(std::bit_ceil(bytes)) : large.get();
  if (keys_to == nullptr) keys_to = reinterpret_cast<K*>(scratch);
  sort_range<K, V>({.keys = static_cast<const K*>(arguments.keys_in),
                    .values = static_cast<const V*>(arguments.values_in),
                    .first_index = first_index,
                    .count = count,
                    .bits_in = bits,
                    .keys_to = keys_to,
                    .values_to = static_cast<V*>(arguments.values_out),
                    .bits_out = bits,
                    .scratch = scratch + bytes_of_unwanted});
}

template <class K>
void sort_small_by_value(const SortArguments& arguments, std::size_t first_index) {
  switch (arguments.value_bytes) {
    case 0: return sort_small<K, NoValue>(arguments, first_index);
    case 4: return sort_small<K, std::uint32_t>(arguments, first_index);
    default: return sort_small<K, std::uint64_t>(arguments, first_index);
  }
}

}  // namespace

void sort_small(const SortArguments& arguments, std::size_t first_index) {
  if (key_bytes(arguments.key_type) == 4) {
    sort_small_by_value<std::uint32_t>(arguments, first_index);
  } else {
    sort_small_by_value<std::uint64_t>(arguments, first_index);
  }
}

}  // namespace millrace::radix_sort
