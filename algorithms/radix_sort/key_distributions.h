// SPDX-License-Identifier: Apache-2.0

// Keys for tests and benchmarks.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_KEY_DISTRIBUTIONS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_KEY_DISTRIBUTIONS_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>

#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {

// How keys are spread, counted by their place among all keys of the type in ascending order.
enum class KeyDistribution : std::uint8_t {
  kUniform,      // Any bits; for floating-point numbers NaNs and infinities too.
  kNormal,       // Around the middle, with a standard deviation of a sixteenth of all.
  kZipf,         // Of the lowest 2^20, the k-th with a probability of about 1/k.
  kSorted,       // Uniform, and ascending.
  kReversed,     // Uniform, and descending.
  kEqual,        // All the same.
  kFewDistinct,  // Of 16 values.
  kOutlier,      // Close together but for the last, which is the highest.
};

inline constexpr KeyDistribution kKeyDistributions[] = {
    KeyDistribution::kUniform,     KeyDistribution::kNormal,   KeyDistribution::kZipf,
    KeyDistribution::kSorted,      KeyDistribution::kReversed, KeyDistribution::kEqual,
    KeyDistribution::kFewDistinct, KeyDistribution::kOutlier};

// "uniform", "normal", "zipf", "sorted", "reversed", "equal", "few-distinct" or "outlier".
const char* to_string(KeyDistribution distribution);

// Writes `count` keys of a type to host memory; the same ones for the same seed.
void fill_keys(KeyType type, KeyDistribution distribution, std::uint64_t seed, std::size_t count,
               void* keys);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_KEY_DISTRIBUTIONS_H_
