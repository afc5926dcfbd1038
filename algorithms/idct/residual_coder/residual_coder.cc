// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/quantiser.h>
#include <millrace/algorithms/idct/residual_coder/coded_cost.h>
#include <millrace/algorithms/idct/residual_coder/forward_transform.h>
#include <millrace/algorithms/idct/residual_coder/residual_coder.h>
#include <millrace/runtime/core/check.h>

#include <algorithm>
#include <string>

namespace millrace::idct {
namespace {

int checked_qp(int qp) {
  if (qp < 0 || qp > kMaxQp) {
    reject("qp is " + std::to_string(qp) + "; it must be 0 to 51");
  }
  return qp;
}

}  // namespace

CodingStatistics& CodingStatistics::operator+=(const CodingStatistics& other) {
  macroblocks += other.macroblocks;
  macroblocks_8x8 += other.macroblocks_8x8;
  zero_coefficients += other.zero_coefficients;
  estimated_bits += other.estimated_bits;
  return *this;
}

ResidualCoder::ResidualCoder(int qp, DeadZone dead_zone)
    : scale_4x4_(make_scale(TransformSize::k4x4, checked_qp(qp), dead_zone)),
      scale_8x8_(make_scale(TransformSize::k8x8, qp, dead_zone)) {}

ResidualCoder::Scale ResidualCoder::make_scale(TransformSize size, int qp, DeadZone dead_zone) {
  Scale scale = {};
  const int n = block_width(size);
  for (int y = 0; y < kMacroblockWidth; ++y) {
    for (int x = 0; x < kMacroblockWidth; ++x) {
      const int i = x % n;
      const int j = y % n;
      const int index = kMacroblockWidth * y + x;
      scale.multiplier[index] = static_cast<std::int16_t>(quantiser_multiplier(size, qp % 6, i, j));
      scale.level_scale[index] = static_cast<std::int16_t>(16 * norm_adjust(size, qp % 6, i, j));
    }
  }
  scale.shift = quantiser_shift(size, qp);
  scale.rounding = (1 << scale.shift) / (dead_zone == DeadZone::kIntra ? 3 : 6);
  const int inverse_shift = (size == TransformSize::k4x4 ? 4 : 6) - qp / 6;
  scale.inverse_shift_right = std::max(inverse_shift, 0);
  scale.inverse_shift_left = std::max(-inverse_shift, 0);
  scale.inverse_rounding = inverse_shift > 0 ? 1 << (inverse_shift - 1) : 0;
  return scale;
}

void ResidualCoder::quantise(const Scale& scale, std::int16_t (&coefficients)[kMacroblockSamples]) {
  for (int k = 0; k < kMacroblockSamples; ++k) {
    const int sign = coefficients[k] >> 15;
    const auto magnitude = static_cast<std::int16_t>((coefficients[k] ^ sign) - sign);
    const int level = (magnitude * scale.multiplier[k] + scale.rounding) >> scale.shift;
    coefficients[k] = static_cast<std::int16_t>((level ^ sign) - sign);
  }
}

void ResidualCoder::dequantise(const Scale& scale, const std::int16_t (&levels)[kMacroblockSamples],
                               std::int16_t* coefficients) {
  std::int16_t dequantised[kMacroblockSamples];  // Aliases nothing, so the loop is vectorised.
  for (int k = 0; k < kMacroblockSamples; ++k) {
    const int scaled =
        (levels[k] * scale.level_scale[k] + scale.inverse_rounding) >> scale.inverse_shift_right;
    dequantised[k] = static_cast<std::int16_t>(scaled << scale.inverse_shift_left);
  }
  std::copy_n(dequantised, kMacroblockSamples, coefficients);
}

CodingStatistics ResidualCoder::code_macroblock(
    const std::uint8_t* source, std::ptrdiff_t source_stride, const std::uint8_t* prediction,
    std::ptrdiff_t prediction_stride, TransformSize& size, std::int16_t* coefficients) const {
  std::int16_t residual[kMacroblockSamples];
  for (int y = 0; y < kMacroblockWidth; ++y) {
    for (int x = 0; x < kMacroblockWidth; ++x) {
      residual[kMacroblockWidth * y + x] = static_cast<std::int16_t>(
          source[y * source_stride + x] - prediction[y * prediction_stride + x]);
    }
  }
  std::int16_t levels_4x4[kMacroblockSamples];
  forward_transform(TransformSize::k4x4, residual, levels_4x4);
  quantise(scale_4x4_, levels_4x4);
  std::int16_t levels_8x8[kMacroblockSamples];
  forward_transform(TransformSize::k8x8, residual, levels_8x8);
  quantise(scale_8x8_, levels_8x8);

  const CodedCost cost_4x4 = coded_cost(TransformSize::k4x4, levels_4x4);
  const CodedCost cost_8x8 = coded_cost(TransformSize::k8x8, levels_8x8);
  const bool is_8x8 = cost_8x8.bits <= cost_4x4.bits;
  size = is_8x8 ? TransformSize::k8x8 : TransformSize::k4x4;
  if (is_8x8) {
    dequantise(scale_8x8_, levels_8x8, coefficients);
  } else {
    dequantise(scale_4x4_, levels_4x4, coefficients);
  }
  const CodedCost& cost = is_8x8 ? cost_8x8 : cost_4x4;
  return {.macroblocks = 1,
          .macroblocks_8x8 = is_8x8 ? 1U : 0U,
          .zero_coefficients = static_cast<std::uint64_t>(cost.zero_levels),
          .estimated_bits = static_cast<std::uint64_t>(cost.bits)};
}

CodingStatistics ResidualCoder::code_row(ConstPlane source, ConstPlane prediction, int row,
                                         TransformSize* sizes, std::int16_t* coefficients) const {
  CodingStatistics statistics;
  const auto per_row = static_cast<std::size_t>(source.macroblocks_per_row());
  for (std::size_t m = per_row * row; m < per_row * (row + 1); ++m) {
    statistics +=
        code_macroblock(source.macroblock(m), source.stride, prediction.macroblock(m),
                        prediction.stride, sizes[m], coefficients + kMacroblockSamples * m);
  }
  return statistics;
}

}  // namespace millrace::idct
