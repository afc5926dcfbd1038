// SPDX-License-Identifier: Apache-2.0

// Lanes of a warp as bits. In words of 32 bits: what <bit> says of 64 bits nvcc 13 makes a constant
// in device code, with gcc 12's library.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_LANE_MASK_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_LANE_MASK_H_

#include <bit>
#include <cstdint>

#include <millrace/backends/gpu/api.h>

namespace millrace::MILLRACE_GPU {

MILLRACE_FUNCTION constexpr std::uint32_t lanes_in(gpu::LaneMask mask) {
  return static_cast<std::uint32_t>(std::popcount(static_cast<std::uint32_t>(mask)) +
                                    std::popcount(static_cast<std::uint32_t>(mask >> 32)));
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_LANE_MASK_H_
