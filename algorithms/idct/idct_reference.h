// SPDX-License-Identifier: Apache-2.0

// The definition of the inverse transform, a direct transcription of ITU-T H.264. Every other
// implementation must give the same bits. Slow, single-threaded, thread-safe.
#ifndef MILLRACE_ALGORITHMS_IDCT_IDCT_REFERENCE_H_
#define MILLRACE_ALGORITHMS_IDCT_IDCT_REFERENCE_H_

#include <millrace/algorithms/idct/macroblock.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::idct {

// Computes the residual of one macroblock: clause 8.5.12.2 for each 4x4 block or clause 8.5.13 for
// each 8x8 block. The standard guarantees that the intermediate values of a conforming stream fit
// 16 bits. For any other input the result is defined too: every intermediate value wraps at 16
// bits.
void reference_residual(TransformSize size, std::span<const std::int16_t, 256> coefficients,
                        std::span<std::int16_t, 256> residual);

// Computes one macroblock of the picture: clip255(prediction + residual), the sum exact. `index`
// counts macroblocks in raster order in both planes, which have the same width and height.
void reference_reconstruction(std::span<const std::int16_t, 256> residual, ConstPlane prediction,
                              Plane output, std::size_t index);

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_IDCT_REFERENCE_H_
