// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/radix_sort_simd.h>
#include <millrace/algorithms/radix_sort/cpu/thread_scratch.h>
#include <millrace/algorithms/radix_sort/cpu/vqsort_choice.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/host/splitmix64.h>

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>

namespace millrace::radix_sort {
namespace {

// Most keys for up to kThreadThreshold threads, and for more: one of them alone partitions all keys
// first. A hundred thousand take 0.9 of the time by digits if the second thread has yet to wake,
// and Zipf keys half of it; a million take longer (two cores of a Zen 5). By 16 cores of a Xeon,
// fifty thousand take 0.7 of the time by digits, a hundred thousand as long, and two hundred
// thousand 1.4 times (docs/experiments/when_to_sort_by_pivots.md).
constexpr std::size_t kMostKeys = std::size_t{512} << 10;
constexpr std::size_t kMostKeysOfMany = std::size_t{128} << 10;
constexpr int kThreadThreshold = 4;

constexpr std::size_t kMeasuredKeys = 4096;
using MeasuredKeys = std::array<std::uint32_t, kMeasuredKeys>;

// Returns the least seconds of kRuns runs. The first one also loads code and wakes vector units.
template <class Sort>
double seconds_of(const MeasuredKeys& keys, const Sort& sort) {
  constexpr int kRuns = 4;
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRuns; ++run) {
    MeasuredKeys sorted = keys;
    const auto start = std::chrono::steady_clock::now();
    sort(sorted);
    least = std::min(least, seconds_since(start));
  }
  return least;
}

}  // namespace

SortTimes measure_sorts() {
  MeasuredKeys keys;
  SplitMix64 random(1);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random.next());
  std::byte* const scratch =
      thread_scratch(bucket_scratch_bytes<std::uint32_t, NoValue>(kMeasuredKeys));
  return {.by_vqsort = seconds_of(keys,
                                  [](MeasuredKeys& sorted) {
                                    hwy::Sorter()(sorted.data(), sorted.size(),
                                                  hwy::SortAscending());
                                  }),
          .by_digits = seconds_of(keys, [&](MeasuredKeys& sorted) {
            kernels<std::uint32_t, NoValue>().sort({.keys = sorted.data(),
                                                    .values = nullptr,
                                                    .first_index = 0,
                                                    .count = sorted.size(),
                                                    .keys_to = sorted.data(),
                                                    .values_to = nullptr,
                                                    .bits = {},
                                                    .scratch = scratch});
          })};
}

bool is_vqsort_fast() {
  static const bool is_fast = is_fast_enough(measure_sorts());
  return is_fast;
}

bool is_profitable_to_split(std::size_t count, int threads) {
  return count <= (threads <= kThreadThreshold ? kMostKeys : kMostKeysOfMany);
}

}  // namespace millrace::radix_sort
