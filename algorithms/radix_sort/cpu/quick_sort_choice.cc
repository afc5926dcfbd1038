// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/aligned_bytes.h>
#include <millrace/algorithms/radix_sort/cpu/quick_sort_choice.h>
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/host/splitmix64.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

namespace millrace::radix_sort {
namespace {

// More threads than these are many: one of them alone partitions all keys by the first pivot.
constexpr int kThreadThreshold = 4;

// The most bytes of keys that are partitioned by pivots. Two cores of a Zen 5 sort 1e6 keys of 4
// bytes in 1.28 ms by pivots and in 1.38 by digits, 1e7 in 17.8 and 17.7
// (docs/experiments/when_to_sort_by_pivots.md).
constexpr std::size_t kMostBytes = std::size_t{32} << 20;
// The same of skewed keys: 1e7 floating-point numbers of one range take 17.6 ms and 26.3.
constexpr std::size_t kMostSkewedBytes = std::size_t{256} << 20;
// The same of keys for many threads.
constexpr std::size_t kMostBytesOfMany = std::size_t{512} << 10;

constexpr std::size_t kMeasuredKeys = 4096;

template <class K>
using MeasuredKeys = std::array<K, kMeasuredKeys>;

// Returns the least seconds of kRuns runs. The first one also loads code and wakes vector units.
template <class K, class Sort>
double seconds_of(const MeasuredKeys<K>& keys, const Sort& sort) {
  constexpr int kRuns = 4;
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRuns; ++run) {
    MeasuredKeys<K> sorted = keys;
    const auto start = std::chrono::steady_clock::now();
    sort(sorted);
    least = std::min(least, seconds_since(start));
  }
  return least;
}

}  // namespace

template <class K>
SortTimes measure_sorts() {
  MeasuredKeys<K> keys;
  SplitMix64 random(1);
  for (K& key : keys) key = static_cast<K>(random.next());
  // The caller may be using thread_scratch().
  const AlignedBytes memory = aligned_bytes(bucket_scratch_bytes<K, NoValue>(kMeasuredKeys));
  const auto& loops = kernels<K, NoValue>();
  return {.by_pivots = seconds_of(keys,
                                  [&](MeasuredKeys<K>& sorted) {
                                    loops.quick_sort({.keys = sorted.data(),
                                                      .count = sorted.size(),
                                                      .bits_in = {},
                                                      .keys_to = sorted.data(),
                                                      .bits_out = {},
                                                      .scratch = memory.get()});
                                  }),
          .by_digits = seconds_of(keys, [&](MeasuredKeys<K>& sorted) {
            loops.sort({.keys = sorted.data(),
                        .values = nullptr,
                        .first_index = 0,
                        .count = sorted.size(),
                        .keys_to = sorted.data(),
                        .values_to = nullptr,
                        .bits = {},
                        .scratch = memory.get()});
          })};
}

template <class K>
bool is_quick_sort_fast() {
  if (kernels<K, NoValue>().quick_sort == nullptr) return false;
  static const bool is_fast = is_fast_enough(measure_sorts<K>());
  return is_fast;
}

template SortTimes measure_sorts<std::uint32_t>();
template SortTimes measure_sorts<std::uint64_t>();
template bool is_quick_sort_fast<std::uint32_t>();
template bool is_quick_sort_fast<std::uint64_t>();

// Keys of 8 bytes are half as many a vector: uniform ones are sorted by digits in 0.8 of the time.
bool is_profitable_to_split(std::size_t count, std::size_t key_bytes, int threads, bool is_skewed) {
  const std::size_t bytes = count * key_bytes;
  if (key_bytes == 8 && !is_skewed) return false;
  if (threads > kThreadThreshold) return bytes <= kMostBytesOfMany;
  return bytes <= (is_skewed ? kMostSkewedBytes : kMostBytes);
}

}  // namespace millrace::radix_sort
