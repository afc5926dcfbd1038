// SPDX-License-Identifier: Apache-2.0

// Dequantises the levels of a macroblock, equation by equation, for tests (ITU-T H.264 clauses
// 8.5.6 to 8.5.13). Scaling lists are flat.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_PLAIN_COEFFICIENTS_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_PLAIN_COEFFICIENTS_H_

#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/algorithms/idct/quantiser.h>

#include <algorithm>
#include <cstdint>

namespace millrace::h264 {

inline std::int16_t clipped_to_16_bits(std::int64_t value) {
  return static_cast<std::int16_t>(std::clamp<std::int64_t>(value, -32768, 32767));
}

// Returns element (row, column) of H * levels * H of clause 8.5.10 (n = 4) or 8.5.11.1 (n = 2).
inline std::int64_t hadamard(const std::int16_t* levels, int n, int row, int column) {
  constexpr int k4[4][4] = {{1, 1, 1, 1}, {1, 1, -1, -1}, {1, -1, -1, 1}, {1, -1, 1, -1}};
  constexpr int k2[2][2] = {{1, 1}, {1, -1}};
  std::int64_t sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int sign = n == 4 ? k4[row][i] * k4[j][column] : k2[row][i] * k2[j][column];
      sum += sign * levels[n * i + j];
    }
  }
  return sum;
}

// Returns DC of a 4x4 block of Intra16x16 (equations 8-320 and 8-321).
inline std::int64_t plain_luma_dc(std::int64_t f, int qp) {
  const std::int64_t scaled = f * 16 * idct::norm_adjust(idct::TransformSize::k4x4, qp % 6, 0, 0);
  return qp >= 36 ? scaled * (1 << (qp / 6 - 6)) : (scaled + (1 << (5 - qp / 6))) >> (6 - qp / 6);
}

// Returns DC of a 4x4 block of chroma (equation 8-330).
inline std::int64_t plain_chroma_dc(std::int64_t f, int qp) {
  const std::int64_t scale = 16 * idct::norm_adjust(idct::TransformSize::k4x4, qp % 6, 0, 0);
  return f * scale * (1 << qp / 6) >> 5;
}

inline MacroblockCoefficients plain_coefficients(const Macroblock& macroblock,
                                                 const MacroblockLevels& levels) {
  using idct::TransformSize;
  constexpr ZigzagOrder<4> k4x4 = zigzag_order<4>();
  constexpr ZigzagOrder<8> k8x8 = zigzag_order<8>();
  MacroblockCoefficients coefficients;
  if (macroblock.type == MacroblockType::kPcm) {
    std::copy_n(&levels.luma[0][0], 256, coefficients.luma);
    std::copy_n(&levels.chroma_ac[0][0][0], 128, &coefficients.chroma[0][0]);
    return coefficients;
  }
  const bool is_16x16 = macroblock.type == MacroblockType::kIntra16x16;
  for (int quarter = 0; quarter < 4; ++quarter) {
    if ((macroblock.coded_block_pattern >> quarter & 1) == 0) continue;
    for (int k = 0; k < 64; ++k) {
      const int level = levels.luma[quarter][k];
      if (macroblock.has_8x8_transform) {
        const int i = k8x8.row[k];
        const int j = k8x8.column[k];
        coefficients
            .luma[idct::coefficient_index(TransformSize::k8x8, quarter & 1, quarter >> 1, i, j)] =
            clipped_to_16_bits(idct::dequantised(TransformSize::k8x8, macroblock.qp, i, j, level));
      } else if (!is_16x16 || k % 16 != 0) {
        const int i = k4x4.row[k % 16];
        const int j = k4x4.column[k % 16];
        const int block = 4 * quarter + k / 16;
        coefficients.luma[idct::coefficient_index(TransformSize::k4x4, block_column(block),
                                                  block_row(block), i, j)] =
            clipped_to_16_bits(idct::dequantised(TransformSize::k4x4, macroblock.qp, i, j, level));
      }
    }
  }
  if (is_16x16) {
    std::int16_t dc[16] = {};
    for (int k = 0; k < 16; ++k) dc[4 * k4x4.row[k] + k4x4.column[k]] = levels.luma_dc[k];
    for (int block = 0; block < 16; ++block) {
      coefficients.luma[idct::coefficient_index(TransformSize::k4x4, block % 4, block / 4, 0, 0)] =
          clipped_to_16_bits(plain_luma_dc(hadamard(dc, 4, block / 4, block % 4), macroblock.qp));
    }
  }
  for (int component = 0; component < 2; ++component) {
    const int qp = macroblock.chroma_qp[component];
    for (int block = 0; block < 4; ++block) {
      std::int16_t* const first =
          coefficients.chroma[component] + 8 * 4 * (block >> 1) + 4 * (block & 1);
      if (macroblock.coded_block_pattern >> 4 != 0) {
        first[0] = clipped_to_16_bits(
            plain_chroma_dc(hadamard(levels.chroma_dc[component], 2, block >> 1, block & 1), qp));
      }
      for (int k = 1; macroblock.coded_block_pattern >> 4 == 2 && k < 16; ++k) {
        const int i = k4x4.row[k];
        const int j = k4x4.column[k];
        first[8 * j + i] = clipped_to_16_bits(idct::dequantised(
            TransformSize::k4x4, qp, i, j, levels.chroma_ac[component][block][k]));
      }
    }
  }
  return coefficients;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_PLAIN_COEFFICIENTS_H_
