// SPDX-License-Identifier: Apache-2.0

// Chooses how many slices a warp parses at a time.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_SLICES_A_WARP_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_SLICES_A_WARP_H_

#include <millrace/runtime/core/device.h>

#include <algorithm>
#include <cstddef>

namespace millrace::h264 {

// Returns the number of slices that a warp parses at a time where `slices` are there at once: the
// least power of 2 that leaves about 900 warps or less, and at most the lanes of a warp. Lanes that
// parse wait for each other at every branch, but more warps were slower on a GPU
// (docs/experiments/how_many_slices_a_warp_parses.md). Where a lane parses all slices of a picture,
// `slices` is the number of pictures.
inline int slices_a_warp(const DeviceInfo& device, std::size_t slices) {
  constexpr std::size_t kWarps = 900;
  const int most = std::min(device.warp_width, 32);
  int count = 1;
  while (count < most && slices / static_cast<std::size_t>(count) > kWarps) count *= 2;
  return count;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_SLICES_A_WARP_H_
