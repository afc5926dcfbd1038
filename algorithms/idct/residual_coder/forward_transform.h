// SPDX-License-Identifier: Apache-2.0

// The forward 4x4 and 8x8 integer transforms that H.264 encoders use: the inverse transforms of
// clauses 8.5.12.2 and 8.5.13 with their signal flow reversed.
#ifndef MILLRACE_ALGORITHMS_IDCT_RESIDUAL_CODER_FORWARD_TRANSFORM_H_
#define MILLRACE_ALGORITHMS_IDCT_RESIDUAL_CODER_FORWARD_TRANSFORM_H_

#include <millrace/algorithms/idct/macroblock.h>

#include <cstdint>

namespace millrace::idct {

// Computes the forward coefficients w_ij of a macroblock's residual, in the layout of macroblock.h.
// The residual is 16x16 samples in raster order with values of -255..255, for which every
// intermediate value fits 16 bits.
void forward_transform(TransformSize size, const std::int16_t (&residual)[kMacroblockSamples],
                       std::int16_t (&coefficients)[kMacroblockSamples]);

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_RESIDUAL_CODER_FORWARD_TRANSFORM_H_
