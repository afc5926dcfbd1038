// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/cpu/plane_error_simd.h>
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tests/simd/simd_target.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::h264 {
namespace {

using PlaneErrorOnTarget = OnSimdTarget;

TEST_P(PlaneErrorOnTarget, IsTheSumOfSquaredDifferences) {
  constexpr int kStride = 300;
  constexpr int kHeight = 5;
  SeededRandom random;
  std::vector<std::uint8_t> a(kStride * kHeight), b(a.size());
  for (auto* samples : {&a, &b}) {
    for (std::uint8_t& sample : *samples) sample = static_cast<std::uint8_t>(random(0, 255));
  }
  for (const int width : {2, 8, 15, 16, 17, 64, 130, 298}) {
    std::uint64_t expected = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < width; ++x) {
        const auto at = static_cast<std::size_t>(kStride * y + x);
        const int difference = a[at] - b[at];
        expected += static_cast<std::uint64_t>(difference * difference);
      }
    }
    EXPECT_EQ(plane_error_simd({a.data(), kStride}, {b.data(), kStride}, width, kHeight), expected)
        << "width " << width;
  }
}

TEST_P(PlaneErrorOnTarget, LargestDifferencesFit) {
  constexpr int kSide = 4096;
  const std::vector<std::uint8_t> row(kSide, 255), other(kSide, 0);
  // All rows are the same one.
  EXPECT_EQ(plane_error_simd({row.data(), 0}, {other.data(), 0}, kSide, kSide),
            std::uint64_t{kSide} * kSide * 255 * 255);
}

INSTANTIATE_TEST_SUITE_P(Targets, PlaneErrorOnTarget, simd_targets(), name_of_simd_target);

}  // namespace
}  // namespace millrace::h264
