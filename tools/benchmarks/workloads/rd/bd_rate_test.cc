// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/rd/bd_rate.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace millrace::tools {
namespace {

using Points = std::vector<RatePoint>;

// Rates and PSNR of JM 17.2 at QP 28, 32, 36 and 40, by full search and by UMHexagonS.
const Points kFull = {{2308.47, 46.325}, {1460.82, 44.13}, {1011.9, 42.066}, {768.94, 39.76}};
const Points kHexagon = {{2268.26, 46.069}, {1366.21, 43.755}, {938.05, 41.666}, {694.23, 39.401}};

double log_of(const RatePoint& point) { return std::log10(point.kbit_per_second); }

double psnr_of(const RatePoint& point) { return point.psnr_db; }

// The cubic of y over x through four points, by Lagrange's formula.
double cubic(const Points& points, double (*x_of)(const RatePoint&),
             double (*y_of)(const RatePoint&), double x) {
  double sum = 0;
  for (const RatePoint& point : points) {
    double term = y_of(point);
    for (const RatePoint& other : points) {
      if (&other == &point) continue;
      term *= (x - x_of(other)) / (x_of(point) - x_of(other));
    }
    sum += term;
  }
  return sum;
}

double log_rate(const Points& points, double psnr_db) {
  return cubic(points, psnr_of, log_of, psnr_db);
}

// The definition: the mean difference of the cubics over the common interval, by many steps.
double bd_rate_by_steps(const Points& anchor, const Points& rate, double low, double high) {
  constexpr int kSteps = 100'000;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double psnr_db = low + (high - low) * (i + 0.5) / kSteps;
    sum += log_rate(rate, psnr_db) - log_rate(anchor, psnr_db);
  }
  return 100 * (std::pow(10, sum / kSteps) - 1);
}

double bd_psnr_by_steps(const Points& anchor, const Points& quality, double low, double high) {
  constexpr int kSteps = 100'000;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double rate = low + (high - low) * (i + 0.5) / kSteps;
    sum += cubic(quality, log_of, psnr_of, rate) - cubic(anchor, log_of, psnr_of, rate);
  }
  return sum / kSteps;
}

Points scaled(Points points, double factor) {
  for (RatePoint& point : points) point.kbit_per_second *= factor;
  return points;
}

TEST(BdRateTest, IsTheMeanDifferenceOfTheCubics) {
  EXPECT_NEAR(bd_rate_percent(kFull, kHexagon), bd_rate_by_steps(kFull, kHexagon, 39.76, 46.069),
              1e-6);
  EXPECT_NEAR(bd_rate_percent(kFull, kHexagon), -0.5205771569593343, 1e-9);
}

TEST(BdPsnrTest, IsTheMeanDifferenceOfTheCubics) {
  EXPECT_NEAR(bd_psnr_db(kFull, kHexagon),
              bd_psnr_by_steps(kFull, kHexagon, std::log10(768.94), std::log10(2268.26)), 1e-6);
  EXPECT_NEAR(bd_psnr_db(kFull, kFull), 0, 1e-9);
}

TEST(BdPsnrTest, QualitiesAtADistanceDifferByThat) {
  Points better = kFull;
  for (RatePoint& point : better) point.psnr_db += 0.25;
  EXPECT_NEAR(bd_psnr_db(kFull, better), 0.25, 1e-9);
  EXPECT_NEAR(bd_psnr_db(better, kFull), -0.25, 1e-9);
}

TEST(BdPsnrTest, IsNotANumberWithoutCommonRates) {
  EXPECT_TRUE(std::isnan(bd_psnr_db(kFull, scaled(kFull, 100))));
  EXPECT_TRUE(std::isnan(bd_psnr_db(kFull, {})));
  Points perfect = kFull;
  perfect[0].psnr_db = HUGE_VAL;
  EXPECT_TRUE(std::isnan(bd_psnr_db(kFull, perfect)));
}

TEST(BdRateTest, RatesByAFactorDifferByIt) {
  EXPECT_NEAR(bd_rate_percent(kFull, kFull), 0, 1e-9);
  EXPECT_NEAR(bd_rate_percent(kFull, scaled(kFull, 1.1)), 10, 1e-9);
  EXPECT_NEAR(bd_rate_percent(scaled(kFull, 1.25), kFull), -20, 1e-9);
}

TEST(BdRateTest, TheOrderOfThePointsDoesNotMatter) {
  const Points turned(kHexagon.rbegin(), kHexagon.rend());
  EXPECT_NEAR(bd_rate_percent(kFull, turned), bd_rate_percent(kFull, kHexagon), 1e-9);
}

TEST(BdRateTest, MorePointsAreFitted) {
  Points more = kFull;  // They are on the same cubic.
  more.push_back({std::pow(10, log_rate(kFull, 43)), 43});
  EXPECT_NEAR(bd_rate_percent(kFull, more), 0, 1e-9);
}

TEST(BdRateTest, IsNotANumberWithoutCommonQuality) {
  const Points low = {{10, 20}, {20, 21}, {30, 22}, {40, 23}};
  EXPECT_TRUE(std::isnan(bd_rate_percent(kFull, low)));
  EXPECT_TRUE(std::isnan(bd_rate_percent(kFull, {})));
  Points perfect = kFull;
  for (RatePoint& point : perfect) point.psnr_db = HUGE_VAL;
  EXPECT_TRUE(std::isnan(bd_rate_percent(perfect, perfect)));
}

}  // namespace
}  // namespace millrace::tools
