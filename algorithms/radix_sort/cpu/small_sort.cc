// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/radix_sort_simd.h>
#include <millrace/algorithms/radix_sort/cpu/small_sort.h>
#include <millrace/algorithms/radix_sort/key_bits.h>

#include <cstdint>
#include <memory>
#include <new>

namespace millrace::radix_sort {
namespace {

struct AlignedDelete {
  void operator()(std::byte* data) const { ::operator delete (data, std::align_val_t{kCacheLine}); }
};
using AlignedBytes = std::unique_ptr<std::byte, AlignedDelete>;

AlignedBytes aligned_bytes(std::size_t count) {
  return AlignedBytes(
      static_cast<std::byte*>(::operator new (count, std::align_val_t{kCacheLine})));
}

template <class K, class V>
void sort_small(const SortArguments& arguments, std::size_t first_index) {
  const auto bits = KeyBits<K>::of(arguments.key_type, arguments.order);
  const std::size_t count = arguments.count;
  const AlignedBytes scratch = aligned_bytes(bucket_scratch_bytes<K, V>(count));
  AlignedBytes unwanted;  // Keys of an argsort.
  auto* keys = static_cast<K*>(arguments.keys_out);
  if (keys == nullptr) {
    unwanted = aligned_bytes(count * sizeof(K));
    keys = reinterpret_cast<K*>(unwanted.get());
  }
  kernels<K, V>().order(static_cast<const K*>(arguments.keys_in), count, bits, keys);
  kernels<K, V>().sort({.keys = keys,
                        .values = static_cast<const V*>(arguments.values_in),
                        .first_index = first_index,
                        .count = count,
                        .keys_to = keys,
                        .values_to = static_cast<V*>(arguments.values_out),
                        .bits = bits,
                        .scratch = scratch.get()});
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
