// SPDX-License-Identifier: Apache-2.0

// Quantises coefficients to levels, and levels back to the coefficients that decoders have.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_LEVEL_QUANTISER_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_LEVEL_QUANTISER_H_

#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/idct/quantiser.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Constants of one QP with flat scaling lists, indexed by position in zig-zag order.
struct LevelQuantiser {
  int shift_4x4;  // A level is |w| * multiplier >> shift, rounded up by a fraction.
  int shift_8x8;
  std::int32_t multipliers_4x4[16];
  std::int32_t multipliers_8x8[64];
  std::int32_t raster_4x4[16];  // The multipliers in raster order.
  std::int32_t raster_8x8[64];
  // The largest |w| of each position of a 4x4 block, in raster order, that inter macroblocks
  // quantise to level 0.
  std::int16_t inter_limits_4x4[16];
  std::int32_t scales_4x4[16];  // A coefficient is level * scale >> 4 for 4x4, >> 6 for 8x8 (clause
  std::int32_t scales_8x8[64];  // 8.5.12.1 and 8.5.13.1); scales have the factor 2^(QP / 6).
  // Squared error of the samples for an error of one level, in 1 / 65536.
  std::uint32_t energies_4x4[16];
  std::uint32_t energies_8x8[64];
};

// Returns 64 times the sum of squares of basis vector i of the inverse transform.
constexpr std::int64_t basis_energy(int n, int i) {
  constexpr int k4[2] = {4 * 64, 160};
  constexpr int k8[4] = {8 * 64, 578, 320, 578};
  return n == 4 ? k4[i % 2] : k8[i % 4];
}

// Fraction of a step that is added before rounding down, in 1 / 1024.
inline constexpr int kIntraRounding = 341;
inline constexpr int kInterRounding = 171;

// Fills the arrays of one transform size, n x n. `energy_shift` is the difference of the binary
// scales of the products and of LevelQuantiser's energies.
template <int n>
constexpr void fill_quantiser(int qp, int energy_shift, std::int32_t (&multipliers)[n * n],
                              std::int32_t (&raster)[n * n], std::int32_t (&scales)[n * n],
                              std::uint32_t (&energies)[n * n]) {
  constexpr auto kSize = n == 4 ? idct::TransformSize::k4x4 : idct::TransformSize::k8x8;
  constexpr ZigzagOrder<n> kOrder = zigzag_order<n>();
  const int m = qp % 6;
  for (int k = 0; k < n * n; ++k) {
    const int i = kOrder.row[k];
    const int j = kOrder.column[k];
    multipliers[k] = idct::quantiser_multiplier(kSize, m, i, j);
    raster[n * i + j] = multipliers[k];
    scales[k] = 16 * idct::norm_adjust(kSize, m, i, j) << qp / 6;
    const std::int64_t scale = scales[k];
    energies[k] = static_cast<std::uint32_t>(
        (scale * scale * basis_energy(n, i) * basis_energy(n, j)) >> energy_shift);
  }
}

constexpr LevelQuantiser level_quantiser(int qp) {
  LevelQuantiser quantiser = {};
  quantiser.shift_4x4 = idct::quantiser_shift(idct::TransformSize::k4x4, qp);
  quantiser.shift_8x8 = idct::quantiser_shift(idct::TransformSize::k8x8, qp);
  // A coefficient is scale / 16 for 4x4, / 64 for 8x8; a sample is the sum of products with basis
  // vectors / 64.
  fill_quantiser<4>(qp, 8 + 12 + 12 - 16, quantiser.multipliers_4x4, quantiser.raster_4x4,
                    quantiser.scales_4x4, quantiser.energies_4x4);
  fill_quantiser<8>(qp, 12 + 12 + 12 - 16, quantiser.multipliers_8x8, quantiser.raster_8x8,
                    quantiser.scales_8x8, quantiser.energies_8x8);
  for (int k = 0; k < 16; ++k) {
    const std::int64_t one = std::int64_t{1} << quantiser.shift_4x4;
    const std::int64_t offset = kInterRounding * one >> 10;
    quantiser.inter_limits_4x4[k] =
        static_cast<std::int16_t>((one - 1 - offset) / quantiser.raster_4x4[k]);
  }
  return quantiser;
}

// Returns the level of coefficient `w`; `rounding` is a fraction as above.
MILLRACE_FUNCTION constexpr int quantised_level(int w, std::int32_t multiplier, int shift,
                                                int rounding) {
  const std::int64_t offset = static_cast<std::int64_t>(rounding) << shift >> 10;
  const std::int64_t magnitude = w < 0 ? -w : w;
  const int level = static_cast<int>((magnitude * multiplier + offset) >> shift);
  return w < 0 ? -level : level;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_LEVEL_QUANTISER_H_
