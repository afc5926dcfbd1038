// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/motion_statistics.h>

namespace millrace::h264 {

MotionStatistics measure_motion(const MotionSums& sums) {
  return {.blocks = static_cast<std::int64_t>(sums.blocks),
          .length = sums.length.mean_and_deviation(sums.blocks),
          .x = sums.x.mean_and_deviation(sums.blocks),
          .y = sums.y.mean_and_deviation(sums.blocks),
          .difference = sums.difference.mean_and_deviation(sums.blocks),
          .root_mean_square_difference = sums.difference.root_mean_square(sums.blocks)};
}

}  // namespace millrace::h264
