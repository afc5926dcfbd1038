// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>

#include <gtest/gtest.h>

#include <limits>

namespace millrace::tools {
namespace {

TEST(NumberText, HasThePrefixOfItsSize) {
  EXPECT_EQ(si_text(0), "0");
  EXPECT_EQ(si_text(1), "1.00");
  EXPECT_EQ(si_text(1234567), "1.23 M");
  EXPECT_EQ(si_text(45.6e-6), "45.6 µ");
  EXPECT_EQ(si_text(999.7), "1.00 k");
  EXPECT_EQ(si_text(1000), "1.00 k");
  EXPECT_EQ(si_text(-20e9, 2), "-20 G");
  EXPECT_EQ(si_text(3e23), "300000 E");
}

TEST(NumberText, OfAMarkHasNoMoreDigitsThanItHas) {
  EXPECT_EQ(tick_text(0), "0");
  EXPECT_EQ(tick_text(10'000), "10 k");
  EXPECT_EQ(tick_text(0.001), "0.001");
  EXPECT_EQ(tick_text(0.5), "0.5");
  EXPECT_EQ(tick_text(2e-5), "20 µ");
  EXPECT_EQ(tick_text(1000), "1 k");
  EXPECT_EQ(tick_text(500), "500");
}

TEST(NumberText, OfWhatIsNoNumberIsADash) {
  for (const double none :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(si_text(none), "-");
    EXPECT_EQ(tick_text(none), "-");
    EXPECT_EQ(ratio_text(none), "-");
  }
}

TEST(NumberText, JoinsUnits) {
  EXPECT_EQ(quantity_text(1.2e9, "B/s"), "1.20 GB/s");
  EXPECT_EQ(quantity_text(45.6e-6, "s"), "45.6 µs");
  EXPECT_EQ(quantity_text(3, "s"), "3.00 s");
  EXPECT_EQ(quantity_text(1.2e6, "keys/s"), "1.20 M keys/s");
  EXPECT_EQ(quantity_text(2e-9, "J/key"), "2.00 nJ/key");
  EXPECT_EQ(quantity_text(87.46, "%"), "87.5 %");
  EXPECT_EQ(quantity_text(0.5, "times"), "0.50 times");
  EXPECT_EQ(quantity_text(5, ""), "5.00");
  EXPECT_EQ(figure_text(1.2e6, "keys/s"), "1.20 M");
  EXPECT_EQ(figure_text(1.2e6, "B/s"), "1.20 MB/s");
}

TEST(NumberText, OfARatioHasThreeDigits) {
  EXPECT_EQ(ratio_text(1.066), "1.07");
  EXPECT_EQ(ratio_text(9.996), "10.0");
  EXPECT_EQ(ratio_text(12.34), "12.3");
  EXPECT_EQ(ratio_text(239.8), "240");
  EXPECT_EQ(ratio_text(0.0041), "0.0041");
  EXPECT_EQ(ratio_text(0), "0");
}

}  // namespace
}  // namespace millrace::tools
