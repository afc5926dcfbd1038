// SPDX-License-Identifier: Apache-2.0

// Vectors and their costs: the integers that every backend has to reproduce.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_COST_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_COST_H_

#include <millrace/algorithms/motion_estimation/motion_vector.h>
#include <millrace/runtime/core/target_function.h>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace millrace::motion {

// Bound of predictors. Those outside of -kMostPredictor .. kMostPredictor - 1 (the widest range of
// vectors that H.264 has, table A-1) are limited to the nearest inside.
inline constexpr int kMostPredictor = 8192;

MILLRACE_FUNCTION constexpr int limited_predictor(int component) {
  if (component < -kMostPredictor) return -kMostPredictor;
  return component < kMostPredictor ? component : kMostPredictor - 1;
}

MILLRACE_FUNCTION constexpr MotionVector limited_predictor(const MotionVector& predictor) {
  return {static_cast<std::int16_t>(limited_predictor(predictor.x)),
          static_cast<std::int16_t>(limited_predictor(predictor.y))};
}

// Returns the whole sample at the centre of a search window, for a component of a limited
// predictor.
MILLRACE_FUNCTION constexpr int window_centre(int predictor) { return (predictor + 2) >> 2; }

// Returns the bits of a vector's component, which is coded as its difference from the predictor:
// the length of se(v), H.264 clauses 9.1 and 9.1.1.
MILLRACE_FUNCTION constexpr int difference_bits(int difference) {
  const unsigned magnitude = static_cast<unsigned>(difference < 0 ? -difference : difference);
  // std::bit_width is no function of a GPU, and __clz is none of a constant expression.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if (!std::is_constant_evaluated()) return 2 * (32 - __clz(static_cast<int>(magnitude))) + 1;
  int bits = 1;
  for (unsigned rest = magnitude; rest != 0; rest >>= 1) bits += 2;
  return bits;
#else
  return 2 * static_cast<int>(std::bit_width(magnitude)) + 1;
#endif
}

// Returns lambda_motion = sqrt(0.85 * 2^((QP - 12) / 3)), the reference encoder's, as floor(32 *
// lambda + 1/2). Throws kInvalidArgument unless qp is 0 to 51.
int motion_lambda(int qp);

inline constexpr int kMostLambda = 4095;

// Returns J, the cost that a search minimises: 32 times distortion + lambda * bits. `lambda` is as
// above and at most kMostLambda. A vector of a search has at most 42 bits; with 10-bit samples SAD
// is at most 256 * 1023 and SATD 16 * 32,736, so J stays below 2^24 with SAD, and below 2^25 with
// SATD.
MILLRACE_FUNCTION constexpr std::uint32_t motion_cost(std::uint32_t distortion, int lambda,
                                                      int difference_x, int difference_y) {
  return 32 * distortion + static_cast<std::uint32_t>(lambda * (difference_bits(difference_x) +
                                                                difference_bits(difference_y)));
}

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_COST_H_
