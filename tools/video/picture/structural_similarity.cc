// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/video/picture/structural_similarity.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

constexpr int kBlock = 4;

// Sums over the samples of a block or a window.
struct Sums {
  std::int32_t a = 0;
  std::int32_t b = 0;
  std::int32_t squares = 0;  // Sum of the squares of both.
  std::int32_t products = 0;

  Sums operator+(const Sums& other) const {
    return {a + other.a, b + other.b, squares + other.squares, products + other.products};
  }
};

Sums block_sums(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                std::ptrdiff_t b_stride) {
  Sums sums;
  for (int y = 0; y < kBlock; ++y, a += a_stride, b += b_stride) {
    for (int x = 0; x < kBlock; ++x) {
      sums.a += a[x];
      sums.b += b[x];
      sums.squares += a[x] * a[x] + b[x] * b[x];
      sums.products += a[x] * b[x];
    }
  }
  return sums;
}

// Equation 13 with the variances of equation 15, each times the window's samples and these less
// one.
double window_similarity(const Sums& sums) {
  constexpr double kSamples = 64;
  constexpr double kPairs = kSamples * (kSamples - 1);
  constexpr double kC1 = 0.01 * 255 * 0.01 * 255 * kSamples * kSamples;
  constexpr double kC2 = 0.03 * 255 * 0.03 * 255 * kPairs;
  const double a = sums.a;
  const double b = sums.b;
  const double variances = kSamples * sums.squares - a * a - b * b;
  const double covariance = kSamples * sums.products - a * b;
  return (2 * a * b + kC1) * (2 * covariance + kC2) / ((a * a + b * b + kC1) * (variances + kC2));
}

}  // namespace

double structural_similarity(const ConstPicturePlane& a, const ConstPicturePlane& b) {
  if (a.width != b.width || a.height != b.height) {
    reject("planes of " + std::to_string(a.width) + "x" + std::to_string(a.height) + " and " +
           std::to_string(b.width) + "x" + std::to_string(b.height) +
           " samples; both must have the same size");
  }
  const int columns = a.width / kBlock;
  const int rows = a.height / kBlock;
  if (columns < 2 || rows < 2) return std::numeric_limits<double>::quiet_NaN();
  std::vector<Sums> above(static_cast<std::size_t>(columns));
  std::vector<Sums> row(static_cast<std::size_t>(columns));
  double sum = 0;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      row[static_cast<std::size_t>(x)] = block_sums(a.row(kBlock * y) + kBlock * x, a.stride,
                                                    b.row(kBlock * y) + kBlock * x, b.stride);
    }
    for (std::size_t x = 1; y > 0 && x < row.size(); ++x) {
      sum += window_similarity(above[x - 1] + above[x] + row[x - 1] + row[x]);
    }
    std::swap(above, row);
  }
  return sum / (static_cast<double>(columns - 1) * (rows - 1));
}

}  // namespace millrace::tools
