// SPDX-License-Identifier: Apache-2.0

// The Hadamard transforms that levels of DC pass (ITU-T H.264 clauses 8.5.10 and 8.5.11).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_DC_TRANSFORMS_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_DC_TRANSFORMS_H_

#include <millrace/algorithms/h264/entropy/common/residual_target.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Replaces the levels of a 4x4 block of DC, in raster order, by dcY (clause 8.5.10).
MILLRACE_NOINLINE_FUNCTION inline void transform_luma_dc(std::int32_t scale,
                                                         std::int16_t (&dc)[16]) {
  std::int64_t sums[16];
  for (int row = 0; row < 4; ++row) {
    const std::int64_t a = dc[4 * row];
    const std::int64_t b = dc[4 * row + 1];
    const std::int64_t c = dc[4 * row + 2];
    const std::int64_t d = dc[4 * row + 3];
    sums[4 * row] = a + b + c + d;
    sums[4 * row + 1] = a + b - c - d;
    sums[4 * row + 2] = a - b - c + d;
    sums[4 * row + 3] = a - b + c - d;
  }
  for (int column = 0; column < 4; ++column) {
    const std::int64_t a = sums[column];
    const std::int64_t b = sums[column + 4];
    const std::int64_t c = sums[column + 8];
    const std::int64_t d = sums[column + 12];
    const std::int64_t totals[4] = {a + b + c + d, a + b - c - d, a - b - c + d, a - b + c - d};
    for (int row = 0; row < 4; ++row) {
      dc[4 * row + column] = saturated((totals[row] * scale + 32) >> 6);
    }
  }
}

// The same for the four DC levels of a chroma component (clause 8.5.11).
MILLRACE_FUNCTION inline void transform_chroma_dc(std::int32_t scale, std::int16_t (&dc)[4]) {
  const int a = dc[0];
  const int b = dc[1];
  const int c = dc[2];
  const int d = dc[3];
  const std::int64_t totals[4] = {a + b + c + d, a - b + c - d, a + b - c - d, a - b - c + d};
  for (int k = 0; k < 4; ++k) {
    dc[k] = saturated((totals[k] * scale) >> 5);
  }
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_DC_TRANSFORMS_H_
