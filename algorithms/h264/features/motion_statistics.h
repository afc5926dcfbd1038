// SPDX-License-Identifier: Apache-2.0

// Means and deviations of the motion of a picture, as ITU-T P.1204.3 defines them.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_MOTION_STATISTICS_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_MOTION_STATISTICS_H_

#include <millrace/algorithms/h264/features/fixed_moments.h>
#include <millrace/algorithms/h264/features/picture_sums.h>

#include <cstdint>

namespace millrace::h264 {

// Blocks are the 4x4 blocks of inter macroblocks that are not skipped. Each list that a block
// refers to by gives a vector in quarter samples; the value of a block that refers by both is the
// mean of theirs. Blocks of direct macroblocks count with values of 0.
struct MotionStatistics {
  std::int64_t blocks = 0;
  // Vectors divided by 2 d, where d is the distance to the reference in pictures of output order.
  MeanAndDeviation length;
  MeanAndDeviation x;  // Absolute values.
  MeanAndDeviation y;
  MeanAndDeviation difference;             // Lengths of vector differences, which are not divided.
  double root_mean_square_difference = 0;  // sqrt(1e-5 + E[v^2]) of them.
};

MotionStatistics measure_motion(const MotionSums& sums);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_MOTION_STATISTICS_H_
