// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/reconstruction/cpu/reconstruct_simd.h>
#include <millrace/algorithms/h264/reconstruction/expanded_coefficients.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>

namespace millrace::h264 {
namespace {

TEST(ExpandedCoefficients, AreThoseOfOneMacroblockAlone) {
  constexpr int kMacroblocks = 50;
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  PictureCoefficients coefficients;
  coefficients.reset(kMacroblocks);
  MacroblockCoefficients expected[kMacroblocks];
  for (std::size_t i = 0; i < kMacroblocks; ++i) {
    for (unsigned count = random() % 3 * 40; count > 0; --count) {
      expected[i].luma[random() % 256] = static_cast<std::int16_t>(random());
      expected[i].chroma[random() % 2][random() % 64] = static_cast<std::int16_t>(random());
    }
    coefficients.set(i, expected[i]);
  }
  PictureView view = {};
  view.coefficients = coefficients.list().data();
  view.coefficient_ranges = coefficients.ranges().data();
  ExpandedCoefficients expanded(view);
  for (int i = 0; i < kMacroblocks; ++i) {
    ASSERT_EQ(std::memcmp(expanded(i), &expected[i], sizeof(expected[i])), 0) << i;
  }
}

TEST(ExpandedCoefficients, AreNullWhereThePictureHasNone) {
  const PictureView view = {};
  EXPECT_EQ(ExpandedCoefficients(view)(0), nullptr);
}

// A picture of one PCM macroblock.
ParsedPicture pcm_picture() {
  ParsedPicture picture;
  auto sequence = std::make_shared<SequenceParameters>();
  sequence->width_in_macroblocks = 1;
  sequence->height_in_macroblocks = 1;
  picture.sequence = sequence;
  picture.picture_parameters = {std::make_shared<PictureParameters>()};
  picture.slices.resize(1);
  picture.macroblocks.resize(1);
  picture.macroblocks[0].type = MacroblockType::kPcm;
  return picture;
}

std::uint8_t first_sample(const ParsedPicture& picture, int plane) {
  SamplePicture scalar(1, 1), vectors(1, 1);
  const FindPicture none = [](std::int64_t) -> const SamplePicture* { return nullptr; };
  reconstruct_picture(picture, none, scalar);
  reconstruct_picture_simd(picture, none, vectors);
  EXPECT_EQ(scalar.plane(plane)[0], vectors.plane(plane)[0]);
  return scalar.plane(plane)[0];
}

TEST(ExpandedCoefficients, OfPcmAreItsSamples) {
  ParsedPicture picture = pcm_picture();
  for (int plane = 0; plane < 3; ++plane) EXPECT_EQ(first_sample(picture, plane), 128);
  picture.coefficients.reset(1);
  picture.coefficients.remove(0);  // Samples of 0 are in no list.
  for (int plane = 0; plane < 3; ++plane) EXPECT_EQ(first_sample(picture, plane), 0);
  const CodedCoefficient coded[] = {{0, 200}, {320, 9}};
  picture.coefficients.set(0, CoefficientView{coded, 2});
  EXPECT_EQ(first_sample(picture, 0), 200);
  EXPECT_EQ(first_sample(picture, 1), 0);
  EXPECT_EQ(first_sample(picture, 2), 9);
}

}  // namespace
}  // namespace millrace::h264
