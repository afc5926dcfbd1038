// SPDX-License-Identifier: Apache-2.0

// Sorts the records of one range by the calling thread, in its caches if they fit.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SORT_RANGE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SORT_RANGE_H_

#include <millrace/algorithms/radix_sort/cpu/quick_sort_choice.h>
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/steps/records.h>

#include <cstddef>
#include <type_traits>

namespace millrace::radix_sort {

// Each output is the input of its kind or overlaps no other array. There are fewer than 2^32
// records.
template <class K, class V>
struct RangeWork {
  const K* keys;
  const V* values;  // Null: the value of record i is first_index + i.
  std::size_t first_index;
  std::size_t count;
  KeyBits<K> bits_in;  // Makes the keys ordered.
  K* keys_to;
  V* values_to;
  KeyBits<K> bits_out;  // Maps output keys back.
  std::byte* scratch;   // bucket_scratch_bytes(), aligned to a cache line.
};

// Sorts keys alone by pivots where that is fast, and others by digits. Pivots do not keep the order
// of equal keys, which cannot be seen of keys alone.
template <class K, class V>
void sort_range(const RangeWork<K, V>& work) {
  const Kernels<K, V>& loops = kernels<K, V>();
  if constexpr (std::is_same_v<V, NoValue>) {
    if (is_quick_sort_fast<K>()) {
      loops.quick_sort({.keys = work.keys,
                        .count = work.count,
                        .bits_in = work.bits_in,
                        .keys_to = work.keys_to,
                        .bits_out = work.bits_out,
                        .scratch = work.scratch});
      return;
    }
  }
  const K* keys = work.keys;
  if (!work.bits_in.is_identity()) {
    loops.order(keys, work.count, work.bits_in, work.keys_to);
    keys = work.keys_to;
  }
  loops.sort({.keys = keys,
              .values = work.values,
              .first_index = work.first_index,
              .count = work.count,
              .keys_to = work.keys_to,
              .values_to = work.values_to,
              .bits = work.bits_out,
              .scratch = work.scratch});
}

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SORT_RANGE_H_
