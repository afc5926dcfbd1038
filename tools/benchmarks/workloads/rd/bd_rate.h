// SPDX-License-Identifier: Apache-2.0

// The Bjontegaard deltas of two encoders: the mean difference of their bit rates at equal quality,
// and that of quality at equal bit rate (G. Bjontegaard, "Calculation of average PSNR differences
// between RD-curves", VCEG-M33, 2001).
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RD_BD_RATE_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RD_BD_RATE_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace millrace::tools {

// One encode of a clip.
struct RatePoint {
  double kbit_per_second = 0;
  double psnr_db = 0;
};

// The cubic of y over x with the least squared error at some points.
class FittedCubic {
 public:
  struct Point {
    double x;
    double y;
  };

  // Takes four or more points of different x.
  explicit FittedCubic(std::span<const Point> points) {
    for (const Point& point : points) centre_ += point.x;
    centre_ /= static_cast<double>(points.size());
    double sums[kCoefficients][kCoefficients + 1] = {};  // The normal equations.
    for (const Point& point : points) {
      const double x = point.x - centre_;
      double powers[2 * kCoefficients - 1] = {1};
      for (int i = 1; i < 2 * kCoefficients - 1; ++i) powers[i] = powers[i - 1] * x;
      for (int row = 0; row < kCoefficients; ++row) {
        for (int column = 0; column < kCoefficients; ++column) {
          sums[row][column] += powers[row + column];
        }
        sums[row][kCoefficients] += powers[row] * point.y;
      }
    }
    solve(sums);
  }

  // Returns the mean between two values of x, the first below the second.
  double mean(double low, double high) const {
    return (integral(high - centre_) - integral(low - centre_)) / (high - low);
  }

 private:
  static constexpr int kCoefficients = 4;

  // Gaussian elimination with pivots.
  void solve(double (&sums)[kCoefficients][kCoefficients + 1]) {
    for (int column = 0; column < kCoefficients; ++column) {
      int pivot = column;
      for (int row = column + 1; row < kCoefficients; ++row) {
        if (std::abs(sums[row][column]) > std::abs(sums[pivot][column])) pivot = row;
      }
      std::swap(sums[pivot], sums[column]);
      for (int row = column + 1; row < kCoefficients; ++row) {
        const double factor = sums[row][column] / sums[column][column];
        for (int i = column; i <= kCoefficients; ++i) sums[row][i] -= factor * sums[column][i];
      }
    }
    for (int row = kCoefficients - 1; row >= 0; --row) {
      double rest = sums[row][kCoefficients];
      for (int i = row + 1; i < kCoefficients; ++i) rest -= sums[row][i] * coefficients_[i];
      coefficients_[row] = rest / sums[row][row];
    }
  }

  double integral(double x) const {
    double sum = 0;
    for (int i = kCoefficients - 1; i >= 0; --i) sum = sum * x + coefficients_[i] / (i + 1);
    return sum * x;
  }

  double centre_ = 0;  // Powers are of the difference from it.
  std::array<double, kCoefficients> coefficients_ = {};
};

// Returns the mean of `curve` minus that of `anchor` over the x that both have; NaN for fewer than
// four points, where an x is not finite, or where no x is in both.
inline double mean_difference(std::span<const FittedCubic::Point> anchor,
                              std::span<const FittedCubic::Point> curve) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  for (const std::span<const FittedCubic::Point> points : {anchor, curve}) {
    if (points.size() < 4) return kNone;
    const auto [least, most] = std::ranges::minmax(points, {}, &FittedCubic::Point::x);
    low = std::max(low, least.x);
    high = std::min(high, most.x);
  }
  if (!(low < high) || std::isinf(low) || std::isinf(high)) return kNone;
  return FittedCubic(curve).mean(low, high) - FittedCubic(anchor).mean(low, high);
}

// Returns the difference of `rate` to `anchor` in percent, over the PSNRs that both reach: below 0
// where `rate` needs fewer bits. NaN for fewer than four points of finite PSNR, or where no PSNR is
// in both.
inline double bd_rate_percent(std::span<const RatePoint> anchor, std::span<const RatePoint> rate) {
  const auto curve = [](std::span<const RatePoint> points) {
    std::vector<FittedCubic::Point> rates;
    for (const RatePoint& point : points) {
      rates.push_back({point.psnr_db, std::log10(point.kbit_per_second)});
    }
    return rates;
  };
  return 100 * (std::pow(10, mean_difference(curve(anchor), curve(rate))) - 1);
}

// Returns the difference of `quality` to `anchor` in dB, over the bit rates that both reach: above
// 0 where `quality` is better. NaN for fewer than four points, one of infinite PSNR, or where no
// rate is in both.
inline double bd_psnr_db(std::span<const RatePoint> anchor, std::span<const RatePoint> quality) {
  const auto curve = [](std::span<const RatePoint> points) {
    std::vector<FittedCubic::Point> qualities;
    for (const RatePoint& point : points) {
      qualities.push_back({std::log10(point.kbit_per_second), point.psnr_db});
    }
    return qualities;
  };
  const double difference = mean_difference(curve(anchor), curve(quality));
  return std::isfinite(difference) ? difference : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RD_BD_RATE_H_
