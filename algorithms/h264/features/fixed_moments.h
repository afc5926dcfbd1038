// SPDX-License-Identifier: Apache-2.0

// Exact sums of fractional values and of their squares, which do not depend on the order of values.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_FIXED_MOMENTS_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_FIXED_MOMENTS_H_

#include <millrace/runtime/core/target_function.h>

#include <cmath>
#include <cstdint>

namespace millrace::h264 {

// The mean of a quantity over blocks, and its deviation.
struct MeanAndDeviation {
  double mean = 0;
  double deviation = 0;  // sqrt(1e-5 + E[v^2] - E[v]^2); 0 where there are no blocks.
};

// Returns a value of at least 0 in units of 2^-20, rounded to the nearest.
//
// The result is the same with and without fused multiply-add: the product by a power of two is
// exact, so that the sum is rounded once either way, and if `value` is itself a product, no sum
// follows it that it could be fused with.
MILLRACE_FUNCTION inline std::uint64_t to_fixed(double value) {
  constexpr double kUnits = 1 << 20;
  return static_cast<std::uint64_t>(std::floor(value * kUnits + 0.5));
}

// Sums of values in units of 2^-21: a block's value is the mean over one list or two, and the sum
// of two values in units of 2^-20 is their mean in units of 2^-21.
//
// A value is split into high * 2^19 + low, since the sum of its squares does not fit 64 bits. No
// sum overflows for 2^24 blocks, 7 times what the largest level of H.264 has (139,264 macroblocks
// of 16): a vector with components of 16 bits is at most 2^15.5 long, so that a value is less than
// 2^37, `high` less than 2^18 and `low` less than 2^19. The greatest of the sums are those of
// values and of low * low, less than 2^37 * 2^24 and 2^38 * 2^24.
struct FixedMoments {
  std::uint64_t sum = 0;
  std::uint64_t high_squares = 0;  // Sum of high * high.
  std::uint64_t products = 0;      // Sum of high * low.
  std::uint64_t low_squares = 0;   // Sum of low * low.

  // Adds a value `count` times.
  MILLRACE_FUNCTION void take(std::uint64_t value, std::uint64_t count) {
    const std::uint64_t high = value >> kLowBits;
    const std::uint64_t low = value & ((std::uint64_t{1} << kLowBits) - 1);
    sum += count * value;
    high_squares += count * (high * high);
    products += count * (high * low);
    low_squares += count * (low * low);
  }

  // Returns mean and deviation over `blocks` blocks. Blocks without an added value count as 0.
  MeanAndDeviation mean_and_deviation(std::uint64_t blocks) const;
  // Returns sqrt(1e-5 + E[v^2]); 0 where there are no blocks.
  double root_mean_square(std::uint64_t blocks) const;

  static constexpr int kLowBits = 19;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_FIXED_MOMENTS_H_
