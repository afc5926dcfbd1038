// SPDX-License-Identifier: Apache-2.0

// Sums over the lanes of a warp.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_WARP_SUM_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_WARP_SUM_GPU_H_

#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/core/target_function.h>

namespace millrace::MILLRACE_GPU {

// Returns the sum of the values of this lane and those before it. All lanes of the warp call.
MILLRACE_FUNCTION inline std::uint32_t sum_up_to_lane(std::uint32_t value) {
  for (int distance = 1; distance < warp_width(); distance *= 2) {
    const bool has_before = lane_index() >= distance;
    const std::uint32_t before =
        shuffle(value, has_before ? lane_index() - distance : lane_index());
    if (has_before) value += before;
  }
  return value;
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_WARP_SUM_GPU_H_
