// SPDX-License-Identifier: Apache-2.0

// Keys for tests and benchmarks.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_KEY_DISTRIBUTION_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_KEY_DISTRIBUTION_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>

#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {

// Distributions of keys, by their position among all keys of the type in ascending order.
enum class KeyDistribution : std::uint8_t {
  kUniform,      // Any bits, including NaNs and infinities.
  kNormal,       // Around the middle, with a standard deviation of a sixteenth of all.
  kZipf,         // The k-th of the lowest 2^20 keys has a probability of about 1/k.
  kSorted,       // Uniform, and ascending.
  kReversed,     // Uniform, and descending.
  kEqual,        // All the same.
  kFewDistinct,  // 16 different values.
  kOutlier,      // Close together; the last key is the highest of all.
};

inline constexpr KeyDistribution kKeyDistributions[] = {
    KeyDistribution::kUniform,     KeyDistribution::kNormal,   KeyDistribution::kZipf,
    KeyDistribution::kSorted,      KeyDistribution::kReversed, KeyDistribution::kEqual,
    KeyDistribution::kFewDistinct, KeyDistribution::kOutlier};

// "uniform", "normal", "zipf", "sorted", "reversed", "equal", "few-distinct" or "outlier".
const char* to_string(KeyDistribution distribution);

// Writes `count` keys of a type to host memory. The same seed gives the same keys.
void fill_keys(KeyType type, KeyDistribution distribution, std::uint64_t seed, std::size_t count,
               void* keys);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_KEY_DISTRIBUTION_H_
