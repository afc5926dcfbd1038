// SPDX-License-Identifier: Apache-2.0

// Scans and counts over the lanes of a warp.
#ifndef MILLRACE_BACKENDS_GPU_WARP_SCAN_H_
#define MILLRACE_BACKENDS_GPU_WARP_SCAN_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/core/target_function.h>

#include <bit>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Returns the number of lanes in `mask`. Counts 32 bits at a time, because nvcc 13 with gcc 12's
// library turns std::popcount of a 64-bit value into a constant in device code.
MILLRACE_FUNCTION constexpr std::uint32_t lanes_in(gpu::LaneMask mask) {
  return static_cast<std::uint32_t>(std::popcount(static_cast<std::uint32_t>(mask)) +
                                    std::popcount(static_cast<std::uint32_t>(mask >> 32)));
}

// Returns the bits of the lanes before the calling lane.
MILLRACE_FUNCTION inline gpu::LaneMask lanes_below() {
  return (gpu::LaneMask{1} << lane_index()) - 1;
}

// Returns the sum of `value` over the calling lane and all lanes before it. Called by all lanes of
// the warp. T has 4 or 8 bytes.
template <class T>
MILLRACE_FUNCTION T inclusive_sum(T value) {
  const int lane = lane_index();
  for (int distance = 1; distance < warp_width(); distance *= 2) {
    const T before = shuffle(value, lane >= distance ? lane - distance : lane);
    if (lane >= distance) value += before;
  }
  return value;
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_WARP_SCAN_H_
