// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/video/picture/spatial_temporal_information.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace millrace::tools {
namespace {

double deviation(double sum, double squares, double count) {
  const double mean = sum / count;
  return std::sqrt(std::max(0.0, squares / count - mean * mean));
}

}  // namespace

double spatial_information(const ConstPicturePlane& luma) {
  if (luma.width < 3 || luma.height < 3) return 0;
  double sum = 0;
  std::int64_t squares = 0;
  for (int y = 1; y + 1 < luma.height; ++y) {
    const std::uint8_t* const above = luma.row(y - 1);
    const std::uint8_t* const row = luma.row(y);
    const std::uint8_t* const below = luma.row(y + 1);
    for (int x = 1; x + 1 < luma.width; ++x) {
      const int horizontal = above[x + 1] + 2 * row[x + 1] + below[x + 1] - above[x - 1] -
                             2 * row[x - 1] - below[x - 1];
      const int vertical =
          below[x - 1] + 2 * below[x] + below[x + 1] - above[x - 1] - 2 * above[x] - above[x + 1];
      const int square = horizontal * horizontal + vertical * vertical;
      squares += square;
      sum += std::sqrt(static_cast<double>(square));
    }
  }
  return deviation(sum, static_cast<double>(squares),
                   static_cast<double>(luma.width - 2) * (luma.height - 2));
}

double temporal_information(const ConstPicturePlane& luma, const ConstPicturePlane& before) {
  if (luma.width != before.width || luma.height != before.height || luma.width < 1 ||
      luma.height < 1) {
    reject("planes of " + std::to_string(luma.width) + "x" + std::to_string(luma.height) + " and " +
           std::to_string(before.width) + "x" + std::to_string(before.height) +
           " samples; both must have the same size and at least one sample");
  }
  std::int64_t sum = 0;
  std::int64_t squares = 0;
  for (int y = 0; y < luma.height; ++y) {
    // A row of at most 32,768 samples fits.
    std::int32_t row_sum = 0;
    std::uint32_t row_squares = 0;
    for (int x = 0; x < luma.width; ++x) {
      const int difference = luma.row(y)[x] - before.row(y)[x];
      row_sum += difference;
      row_squares += static_cast<std::uint32_t>(difference * difference);
    }
    sum += row_sum;
    squares += row_squares;
  }
  return deviation(static_cast<double>(sum), static_cast<double>(squares),
                   static_cast<double>(luma.width) * luma.height);
}

}  // namespace millrace::tools
