// SPDX-License-Identifier: Apache-2.0

// The arguments of a quick sort.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_QUICK_SORT_WORK_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_QUICK_SORT_WORK_H_

#include <millrace/algorithms/radix_sort/key_bits.h>

#include <cstddef>

namespace millrace::radix_sort {

// Sorts the keys of a bucket without values. The output is the input or does not overlap it.
template <class K>
struct QuickSortWork {
  const K* keys;
  std::size_t count;
  KeyBits<K> bits_in;  // Makes the keys ordered: bits_out, or none if they are ordered already.
  K* keys_to;
  KeyBits<K> bits_out;  // Maps output keys back.
  std::byte* scratch;   // bucket_scratch_bytes<K, NoValue>(), aligned to a cache line.
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_QUICK_SORT_WORK_H_
