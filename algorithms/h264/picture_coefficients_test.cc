// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/picture_coefficients.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace millrace::h264 {
namespace {

TEST(PictureCoefficients, AreNoneWhereNotRequested) {
  const PictureCoefficients coefficients;
  EXPECT_TRUE(!coefficients.are_wanted());
  EXPECT_EQ(coefficients.of(0).count, 0);
  EXPECT_EQ(coefficients.list().size(), 0U);
}

TEST(PictureCoefficients, AreThoseOfEachMacroblock) {
  PictureCoefficients coefficients;
  coefficients.reset(3);
  MacroblockCoefficients dense;
  dense.luma[17] = 5;
  dense.chroma[1][63] = -1;
  coefficients.set(2, dense);
  const CodedCoefficient one = {3, 4};
  coefficients.set(0, CoefficientView{&one, 1});
  coefficients.remove(1);
  ASSERT_EQ(coefficients.of(2).count, 2);
  EXPECT_EQ(coefficients.of(2).first[0].index, 17);
  EXPECT_EQ(coefficients.of(2).first[0].value, 5);
  EXPECT_EQ(coefficients.of(2).first[1].index, 383);
  EXPECT_EQ(coefficients.of(2).first[1].value, -1);
  ASSERT_EQ(coefficients.of(0).count, 1);
  EXPECT_EQ(coefficients.of(0).first->index, 3);
  EXPECT_EQ(coefficients.of(1).count, 0);
  EXPECT_EQ(coefficients.list().size(), 3U);
}

TEST(PictureCoefficients, HoldAllOfAMacroblock) {
  PictureCoefficients coefficients;
  coefficients.reset(1);
  MacroblockCoefficients dense, again;
  std::fill_n(dense.luma, 256, std::int16_t{-7});
  for (auto& chroma : dense.chroma) std::fill_n(chroma, 64, std::int16_t{9});
  coefficients.set(0, dense);
  ASSERT_EQ(coefficients.of(0).count, kMacroblockCoefficients);
  expand(coefficients.of(0), again);
  EXPECT_TRUE(std::equal(dense.luma, dense.luma + 256, again.luma));
  EXPECT_TRUE(std::equal(dense.chroma[0], dense.chroma[0] + 64, again.chroma[0]));
  EXPECT_TRUE(std::equal(dense.chroma[1], dense.chroma[1] + 64, again.chroma[1]));
}

TEST(PictureCoefficients, GrowBehindThoseOfEarlierSlices) {
  PictureCoefficients coefficients;
  coefficients.reset(2);
  const CodedCoefficient one = {3, 4};
  coefficients.set(0, CoefficientView{&one, 1});
  CodedCoefficient* const added = coefficients.extend(100'000);
  added[0] = {5, 6};
  coefficients.ranges()[1] = {1, 1};
  coefficients.shorten(2);
  EXPECT_EQ(coefficients.list().size(), 2U);
  EXPECT_EQ(coefficients.of(0).first->value, 4);
  EXPECT_EQ(coefficients.of(1).first->value, 6);
}

TEST(PictureCoefficients, KeepTheirMemory) {
  PictureCoefficients coefficients;
  coefficients.reset(2);
  const CodedCoefficient* const memory = coefficients.extend(1000);
  coefficients.shorten(10);
  coefficients.reset(5);
  EXPECT_EQ(coefficients.list().size(), 0U);
  EXPECT_EQ(coefficients.size(), 5U);
  EXPECT_EQ(coefficients.extend(1000), memory);
}

TEST(PictureCoefficients, AreCopied) {
  PictureCoefficients coefficients;
  coefficients.reset(1);
  const CodedCoefficient one = {3, 4};
  coefficients.set(0, CoefficientView{&one, 1});
  const PictureCoefficients copy = coefficients;
  coefficients.remove(0);
  ASSERT_EQ(copy.of(0).count, 1);
  EXPECT_EQ(copy.of(0).first->value, 4);
}

}  // namespace
}  // namespace millrace::h264
