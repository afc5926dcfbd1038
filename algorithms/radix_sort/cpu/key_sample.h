// SPDX-License-Identifier: Apache-2.0

// Evenly spaced samples of keys, which show how all of them are distributed.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_KEY_SAMPLE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_KEY_SAMPLE_H_

#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>
#include <millrace/algorithms/radix_sort/key_bits.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::radix_sort {

// Fills `samples`, at least two, with ordered keys of `count`, at least one. The first and the last
// key are among them.
template <class K>
void sample_keys(const K* keys, std::size_t count, KeyBits<K> bits, std::span<K> samples) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = bits.ordered(keys[(count - 1) * i / (samples.size() - 1)]);
  }
}

// Returns how many samples, of fewer than 2^16, have the most frequent value of a digit; 0 for a
// digit of no bits, which all keys may share.
template <class K>
std::size_t most_alike(std::span<const K> samples, Digit digit) {
  if (digit.bits == 0) return 0;
  std::array<std::uint16_t, std::size_t{1} << kMostDigitBits> counts{};
  for (const K key : samples) ++counts[key >> digit.shift & (digit.values() - 1)];
  return *std::max_element(counts.begin(),
                           counts.begin() + static_cast<std::ptrdiff_t>(digit.values()));
}

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_KEY_SAMPLE_H_
