// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/encoding/encoding_summary.h>

#include <gtest/gtest.h>

#include <cmath>

namespace millrace::tools {
namespace {

using h264::SliceType;

constexpr std::uint64_t kLuma = 64 * 48;

// Every sample is off by 1 and 5: mean squared errors of 1 and 25.
EncodingSummary two_pictures() {
  EncodingSummary summary(64, 48, {25, 1});
  summary.add({.type = SliceType::kI,
               .is_idr = true,
               .qp = 25,
               .bits = 9'000,
               .squared_errors = {kLuma, kLuma / 4, kLuma / 4}});
  summary.add({.type = SliceType::kP,
               .qp = 28,
               .bits = 1'000,
               .squared_errors = {25 * kLuma, kLuma / 4, 25 * kLuma / 4}});
  return summary;
}

double psnr(double mean_squared_error) { return 10 * std::log10(255.0 * 255 / mean_squared_error); }

TEST(EncodingSummaryTest, SumsBits) {
  const EncodingSummary summary = two_pictures();
  EXPECT_EQ(summary.bits(), 10'000U);
  EXPECT_EQ(summary.bits(SliceType::kI), 9'000U);
  EXPECT_EQ(summary.bits(SliceType::kP), 1'000U);
  EXPECT_EQ(summary.count(SliceType::kP), 1);
  EXPECT_DOUBLE_EQ(summary.kbit_per_second(), 125);
}

TEST(EncodingSummaryTest, TheMeanQpIsThatOfThePictures) {
  EXPECT_DOUBLE_EQ(two_pictures().mean_qp(), 26.5);
  EXPECT_EQ(EncodingSummary(64, 48, {25, 1}).mean_qp(), 0);
}

TEST(EncodingSummaryTest, MeanIsOfThePicturesAndOverallOfTheSamples) {
  const EncodingSummary summary = two_pictures();
  EXPECT_DOUBLE_EQ(summary.psnr_db(summary.pictures()[1], 0), psnr(25));
  EXPECT_DOUBLE_EQ(summary.mean_psnr_db(0), (psnr(1) + psnr(25)) / 2);
  EXPECT_DOUBLE_EQ(summary.overall_psnr_db(0), psnr(13));
  EXPECT_DOUBLE_EQ(summary.mean_psnr_db(1), psnr(1));
  EXPECT_DOUBLE_EQ(summary.weighted_psnr_db(), (5 * summary.mean_psnr_db(0) + psnr(1)) / 6);
}

TEST(EncodingSummaryTest, EqualSamplesHaveNoNoise) {
  EncodingSummary summary(64, 48, {25, 1});
  EXPECT_EQ(summary.kbit_per_second(), 0);
  summary.add({.bits = 8});
  EXPECT_TRUE(std::isinf(summary.mean_psnr_db(0)));
  EXPECT_TRUE(std::isinf(summary.overall_psnr_db(2)));
}

}  // namespace
}  // namespace millrace::tools
