// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/key_distribution.h>
#include <millrace/runtime/host/splitmix64.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace millrace::radix_sort {
namespace {

// Generates the positions of keys among 2^64, one after another.
class KeyPositions {
 public:
  KeyPositions(KeyDistribution distribution, std::uint64_t seed, std::size_t count)
      : distribution_(distribution), count_(count), random_(seed) {}

  std::uint64_t at(std::size_t i) {
    switch (distribution_) {
      case KeyDistribution::kUniform: return random_();
      case KeyDistribution::kNormal: return normal();
      case KeyDistribution::kZipf: return 0;
      case KeyDistribution::kSorted: return ascending(i);
      case KeyDistribution::kReversed: return ascending(count_ - 1 - i);
      case KeyDistribution::kEqual: return kSome;
      case KeyDistribution::kFewDistinct: return kSome * (1 + random_() % 16);
      case KeyDistribution::kOutlier: return i + 1 == count_ ? ~std::uint64_t{0} : 0;
    }
    return 0;
  }

  // Returns an offset in keys of the type, so that keys of any type have close neighbours.
  std::uint64_t offset() {
    if (distribution_ == KeyDistribution::kZipf) {
      const double ranks = 20 * std::log(2.0);
      return static_cast<std::uint64_t>(std::exp(fraction() * ranks)) - 1;
    }
    if (distribution_ == KeyDistribution::kOutlier) return random_() % 65536;
    return 0;
  }

 private:
  static constexpr std::uint64_t kSome = kSplitMixStep;  // An odd number with mixed bits.

  double fraction() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  std::uint64_t normal() {
    const double position = 0x1p63 + normal_(random_) * 0x1p60;
    return static_cast<std::uint64_t>(std::clamp(position, 0.0, 0x1p64 - 0x1p12));
  }

  std::uint64_t ascending(std::size_t i) {
    const std::uint64_t step = ~std::uint64_t{0} / count_;
    return step * i + random_() % step;
  }

  const KeyDistribution distribution_;
  const std::size_t count_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

template <class Bits>
void fill(KeyType type, KeyDistribution distribution, std::uint64_t seed, std::size_t count,
          Bits* keys) {
  const auto bits = KeyBits<Bits>::of(type, SortOrder::kAscending);
  constexpr Bits kHighest = static_cast<Bits>(~Bits{0});
  KeyPositions positions(distribution, seed, count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto position = static_cast<Bits>(positions.at(i) >> (64 - 8 * sizeof(Bits)));
    const auto offset = static_cast<Bits>(positions.offset());
    keys[i] =
        bits.raw(position > kHighest - offset ? kHighest : static_cast<Bits>(position + offset));
  }
}

}  // namespace

const char* to_string(KeyDistribution distribution) {
  switch (distribution) {
    case KeyDistribution::kUniform: return "uniform";
    case KeyDistribution::kNormal: return "normal";
    case KeyDistribution::kZipf: return "zipf";
    case KeyDistribution::kSorted: return "sorted";
    case KeyDistribution::kReversed: return "reversed";
    case KeyDistribution::kEqual: return "equal";
    case KeyDistribution::kFewDistinct: return "few-distinct";
    case KeyDistribution::kOutlier: return "outlier";
  }
  return "unknown";
}

void fill_keys(KeyType type, KeyDistribution distribution, std::uint64_t seed, std::size_t count,
               void* keys) {
  if (key_bytes(type) == 4) {
    fill(type, distribution, seed, count, static_cast<std::uint32_t*>(keys));
  } else {
    fill(type, distribution, seed, count, static_cast<std::uint64_t*>(keys));
  }
}

}  // namespace millrace::radix_sort
