// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/coded_coefficient.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace millrace::h264 {
namespace {

template <class Values>
bool is_zero(const Values& values) {
  return std::all_of(std::begin(values), std::end(values),
                     [](std::int16_t value) { return value == 0; });
}

bool is_zero(const MacroblockCoefficients& coefficients) {
  return is_zero(coefficients.luma) && is_zero(coefficients.chroma[0]) &&
         is_zero(coefficients.chroma[1]);
}

// The first and the last coefficients of each component, in no order.
constexpr CodedCoefficient kCoded[] = {{383, -32768}, {0, 1},       {319, 5},
                                       {256, 4},      {255, 32767}, {320, -6}};
constexpr CoefficientView kView = {kCoded, 6};

TEST(CodedCoefficients, ExpandIntoTheirComponents) {
  MacroblockCoefficients dense;
  expand(kView, dense);
  EXPECT_EQ(dense.luma[0], 1);
  EXPECT_EQ(dense.luma[255], 32767);
  EXPECT_EQ(dense.chroma[0][0], 4);
  EXPECT_EQ(dense.chroma[0][63], 5);
  EXPECT_EQ(dense.chroma[1][0], -6);
  EXPECT_EQ(dense.chroma[1][63], -32768);
  for (std::int16_t* value : {&dense.luma[0], &dense.luma[255], &dense.chroma[0][0],
                              &dense.chroma[0][63], &dense.chroma[1][0], &dense.chroma[1][63]}) {
    *value = 0;
  }
  EXPECT_TRUE(is_zero(dense));
}

TEST(CodedCoefficients, LeaveOthersAsTheyAre) {
  MacroblockCoefficients dense;
  dense.luma[1] = 7;
  expand(kView, dense);
  EXPECT_EQ(dense.luma[1], 7);
  erase(kView, dense);
  EXPECT_EQ(dense.luma[1], 7);
  EXPECT_EQ(dense.luma[0], 0);
}

TEST(CodedCoefficients, EraseWhatTheyExpanded) {
  MacroblockCoefficients dense;
  expand(kView, dense);
  EXPECT_FALSE(is_zero(dense));
  erase(kView, dense);
  EXPECT_TRUE(is_zero(dense));
}

}  // namespace
}  // namespace millrace::h264
