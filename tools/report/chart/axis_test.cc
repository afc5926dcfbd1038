// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/axis.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace millrace::tools {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

TEST(Axis, OfLessThanTwoPowersHasMarksBetweenThem) {
  const Axis axis = Axis::logarithmic(1.5, 40, 0, 100);
  EXPECT_THAT(axis.ticks(), ElementsAre(1, 2, 5, 10, 20, DoubleNear(50, 1e-9)));
  EXPECT_NEAR(axis.position(1), 0, 1e-9);
  EXPECT_NEAR(axis.position(50), 100, 1e-9);
}

TEST(Axis, OfManyPowersHasThoseAlone) {
  EXPECT_THAT(Axis::logarithmic(1, 1e4, 0, 1).ticks(), ElementsAre(1, 10, 100, 1000, 10000));
  EXPECT_LE(Axis::logarithmic(1e-12, 1e12, 0, 1).ticks().size(), 9U);
}

TEST(Axis, OfOneNumberIsNotEmpty) {
  const Axis axis = Axis::logarithmic(100, 100, 0, 100);
  EXPECT_NEAR(axis.position(100), 0, 1e-9);
  EXPECT_GE(axis.ticks().size(), 2U);
}

TEST(Axis, TakesRoundNumbersThatAreNotExact) {
  EXPECT_NEAR(Axis::logarithmic(0.1, 0.3, 0, 1).ticks().front(), 0.1, 1e-12);
  EXPECT_NEAR(Axis::logarithmic(1e-7, 1e-5, 0, 1).ticks().back(), 1e-5, 1e-15);
}

TEST(Axis, FromZeroHasFiveToTenSteps) {
  for (const double most : {0.0, 0.013, 1.0, 1.99, 2.0, 4.9, 77.0, 1e9}) {
    const std::size_t ticks = Axis::exact(most, 0, 1).ticks().size();
    EXPECT_GE(ticks, 5U) << most;
    EXPECT_LE(ticks, 11U) << most;
  }
  EXPECT_EQ(Axis::exact(7, 10, 80).position(7), 80);
  EXPECT_EQ(Axis::exact(7, 10, 80).position(0), 10);
}

TEST(Axis, TakesAnyNumber) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNumbers[] = {0,     -1,   std::numeric_limits<double>::denorm_min(),
                                 1e308, 1e-5, std::numeric_limits<double>::quiet_NaN(),
                                 1,     1e30, kInfinity};
  for (const double low : kNumbers) {
    for (const double high : kNumbers) {
      for (const Axis& axis : {Axis::logarithmic(low, high, 10, 90), Axis::linear(high, 10, 90),
                               Axis::exact(high, 10, 90)}) {
        EXPECT_GE(axis.ticks().size(), 2U) << low << ' ' << high;
        EXPECT_LE(axis.ticks().size(), 20U) << low << ' ' << high;
        for (const double value : kNumbers) {
          EXPECT_GE(axis.position(value), 10 - 1e-9) << low << ' ' << high << ' ' << value;
          EXPECT_LE(axis.position(value), 90 + 1e-9) << low << ' ' << high << ' ' << value;
        }
      }
    }
  }
}

}  // namespace
}  // namespace millrace::tools
