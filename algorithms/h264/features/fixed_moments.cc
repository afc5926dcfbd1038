// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/fixed_moments.h>

#include <cmath>

namespace millrace::h264 {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr double kVarianceFloor = 1e-5;
constexpr double kUnit = 1.0 / (1 << 21);

// Less than 2^74 times the number of blocks.
Wide sum_of_squares(const FixedMoments& moments) {
  return (Wide{moments.high_squares} << 2 * FixedMoments::kLowBits) +
         (Wide{moments.products} << (FixedMoments::kLowBits + 1)) + moments.low_squares;
}

}  // namespace

MeanAndDeviation FixedMoments::mean_and_deviation(std::uint64_t blocks) const {
  if (blocks == 0) return {};
  const auto count = static_cast<double>(blocks);
  // As integers the difference is exact: 0 where all values are equal, and never negative. Both
  // products are less than 2^74 * blocks^2, that is 2^122 for 2^24 blocks.
  const Wide difference = sum_of_squares(*this) * blocks - Wide{sum} * sum;
  const double variance = static_cast<double>(difference) * kUnit * kUnit / (count * count);
  return {static_cast<double>(sum) * kUnit / count, std::sqrt(kVarianceFloor + variance)};
}

double FixedMoments::root_mean_square(std::uint64_t blocks) const {
  if (blocks == 0) return 0;
  const double squares = static_cast<double>(sum_of_squares(*this)) * kUnit * kUnit;
  return std::sqrt(kVarianceFloor + squares / static_cast<double>(blocks));
}

}  // namespace millrace::h264
