// SPDX-License-Identifier: Apache-2.0

// A motion vector.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_VECTOR_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_VECTOR_H_

#include <cstdint>

namespace millrace::motion {

// Displacement from a block of the current picture to its prediction, in quarter samples.
struct MotionVector {
  std::int16_t x = 0;
  std::int16_t y = 0;

  friend bool operator==(const MotionVector&, const MotionVector&) = default;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_VECTOR_H_
