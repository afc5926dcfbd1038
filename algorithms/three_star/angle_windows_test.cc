// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/angle_windows.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace millrace::three_star {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

int bucket_at(double angle) {
  return bucket_of(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)));
}

TEST(AngleWindows, HoldAllDirectionsBetween30And120DegreesOn) {
  SeededRandom random;
  for (int i = 0; i < 200000; ++i) {
    const double from = static_cast<double>(random(0, 180'000'000)) * 1e-6;
    const double on = 30 + static_cast<double>(random(0, 90'000'000)) * 1e-6;
    if (from + on >= 180) continue;
    const int bucket = bucket_at(from * kDegree);
    const int of_third = bucket_at((from + on) * kDegree);
    EXPECT_LE(kAngleWindows.first[bucket], of_third) << from << " degrees and " << on << " on";
    EXPECT_GT(kAngleWindows.end[bucket], of_third) << from << " degrees and " << on << " on";
  }
}

TEST(AngleWindows, AreNotMuchWider) {
  int buckets = 0;
  for (int b = 0; b < kBuckets; ++b) {
    if (kAngleWindows.first[b] == kBuckets) continue;
    buckets += kAngleWindows.end[b] - kAngleWindows.first[b];
  }
  int needed = 0;
  for (int a = 0; a < kBuckets; ++a) {
    for (int b = a; b < kBuckets; ++b) {
      const auto angle = [](int bucket) {
        const double p = (bucket + 0.5) * 2 / kBuckets;
        return std::atan2(p < 1 ? p : 2 - p, 1 - p) / kDegree;
      };
      const double between = angle(b) - angle(a);
      needed += between > 30 && between < 120 ? 1 : 0;
    }
  }
  EXPECT_LT(buckets, 1.03 * needed);
}

}  // namespace
}  // namespace millrace::three_star
