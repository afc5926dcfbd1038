// SPDX-License-Identifier: Apache-2.0

// The definition of the inverse transform, written from ITU-T H.264 as plainly as possible. Every
// other implementation must give the same bits. One thread, slow, thread-safe.
#ifndef MILLRACE_ALGORITHMS_IDCT_IDCT_REFERENCE_H_
#define MILLRACE_ALGORITHMS_IDCT_IDCT_REFERENCE_H_

#include <millrace/algorithms/idct/macroblock.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::idct {

// The residual of one macroblock: clause 8.5.12.2 for each 4x4 block or clause 8.5.13 for each 8x8
// block. The standard promises that a conforming stream's intermediate values fit 16 bits; for any
// other input the result is defined too: every intermediate value wraps at 16 bits.
void reference_residual(TransformSize size, std::span<const std::int16_t, 256> coefficients,
                        std::span<std::int16_t, 256> residual);

// One macroblock of the picture: clip255(prediction + residual), the sum exact. `index` counts
// macroblocks in raster order in both planes, which have the same width and height.
void reference_reconstruction(std::span<const std::int16_t, 256> residual, ConstPlane prediction,
                              Plane output, std::size_t index);

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_IDCT_REFERENCE_H_
