// SPDX-License-Identifier: Apache-2.0

// The encoder's direction: turns a picture and its prediction into a queue of macroblocks for the
// inverse transform, as an H.264 encoder would.
//
//   const ResidualCoder coder(28, DeadZone::kInter);
//   for (int row = 0; row < rows; ++row) {
//     statistics += coder.code_row(source, prediction, row, sizes, coefficients);
//   }
#ifndef MILLRACE_ALGORITHMS_IDCT_RESIDUAL_CODER_RESIDUAL_CODER_H_
#define MILLRACE_ALGORITHMS_IDCT_RESIDUAL_CODER_RESIDUAL_CODER_H_

#include <millrace/algorithms/idct/macroblock.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

// Fraction of a quantiser step that is added before rounding down: 1/3 (for a first picture, whose
// prediction is poor) or 1/6 (for a picture predicted from another).
enum class DeadZone : std::uint8_t { kIntra, kInter };

// Sums over macroblocks. A coefficient counts as zero if its level is; bits are those of
// coded_cost.h.
struct CodingStatistics {
  std::uint64_t macroblocks = 0;
  std::uint64_t macroblocks_8x8 = 0;
  std::uint64_t zero_coefficients = 0;
  std::uint64_t estimated_bits = 0;

  CodingStatistics& operator+=(const CodingStatistics& other);
};

// Forward transform, quantisation, choice of the transform size and dequantisation at one QP.
// Immutable, so threads may share one.
class ResidualCoder {
 public:
  // Throws Error (kInvalidArgument) unless `qp` is in 0..51.
  ResidualCoder(int qp, DeadZone dead_zone);

  // Codes one macroblock with the transform size that is estimated to take fewer bits (8x8 if
  // equal). `source` and `prediction` are its first samples. Writes the 256 dequantised
  // coefficients in the layout of macroblock.h, and the size.
  CodingStatistics code_macroblock(const std::uint8_t* source, std::ptrdiff_t source_stride,
                                   const std::uint8_t* prediction, std::ptrdiff_t prediction_stride,
                                   TransformSize& size, std::int16_t* coefficients) const;

  // Codes macroblock row `row` of a picture. `sizes` and `coefficients` belong to the whole
  // picture: macroblock m, in raster order, has sizes[m] and coefficients[256 * m ..].
  CodingStatistics code_row(ConstPlane source, ConstPlane prediction, int row, TransformSize* sizes,
                            std::int16_t* coefficients) const;

 private:
  // Constants of one transform size at this QP, in the layout of macroblock.h.
  struct Scale {
    std::int16_t multiplier[kMacroblockSamples];
    std::int16_t level_scale[kMacroblockSamples];
    int shift;
    int rounding;
    int inverse_shift_right;
    int inverse_rounding;
    int inverse_shift_left;
  };
  static Scale make_scale(TransformSize size, int qp, DeadZone dead_zone);
  static void quantise(const Scale& scale, std::int16_t (&coefficients)[kMacroblockSamples]);
  static void dequantise(const Scale& scale, const std::int16_t (&levels)[kMacroblockSamples],
                         std::int16_t* coefficients);

  Scale scale_4x4_;
  Scale scale_8x8_;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_RESIDUAL_CODER_RESIDUAL_CODER_H_
