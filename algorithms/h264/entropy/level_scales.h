// SPDX-License-Identifier: Apache-2.0

// Scales of levels (ITU-T H.264 clause 8.5.9).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_LEVEL_SCALES_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_LEVEL_SCALES_H_

#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/idct/quantiser.h>

#include <cstdint>

namespace millrace::h264 {

// LevelScale4x4 and LevelScale8x8 times 2^(QP / 6) by list as in ScalingLists, QP, and position in
// zig-zag order.
struct LevelScales {
  std::int32_t scales_4x4[6][52][16];
  std::int32_t scales_8x8[2][52][64];
};

inline void set_level_scales(const ScalingLists& lists, LevelScales& scales) {
  constexpr ZigzagOrder<4> k4x4 = zigzag_order<4>();
  constexpr ZigzagOrder<8> k8x8 = zigzag_order<8>();
  for (int qp = 0; qp < 52; ++qp) {
    const int m = qp % 6;
    for (int k = 0; k < 16; ++k) {
      const int i = k4x4.row[k];
      const int j = k4x4.column[k];
      const int norm = idct::norm_adjust(idct::TransformSize::k4x4, m, i, j);
      for (int list = 0; list < 6; ++list) {
        scales.scales_4x4[list][qp][k] = lists.lists_4x4[list][4 * i + j] * norm << qp / 6;
      }
    }
    for (int k = 0; k < 64; ++k) {
      const int i = k8x8.row[k];
      const int j = k8x8.column[k];
      const int norm = idct::norm_adjust(idct::TransformSize::k8x8, m, i, j);
      for (int list = 0; list < 2; ++list) {
        scales.scales_8x8[list][qp][k] = lists.lists_8x8[list][8 * i + j] * norm << qp / 6;
      }
    }
  }
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_LEVEL_SCALES_H_
