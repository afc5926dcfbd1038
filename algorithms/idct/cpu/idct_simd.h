// SPDX-License-Identifier: Apache-2.0

// The inverse transform on one CPU thread with the processor's best SIMD instructions (AVX-512,
// AVX2, SSE4, NEON, ...), chosen at run time once per call.
//
//   inverse_transform({.sizes = sizes, .coefficients = coefficients, .end = count}, residual);
//
// Every result equals idct_reference.h bit for bit. The functions keep no state: any thread may
// call them, and threads may share a picture or an array as long as no macroblock is written twice.
#ifndef MILLRACE_ALGORITHMS_IDCT_CPU_IDCT_SIMD_H_
#define MILLRACE_ALGORITHMS_IDCT_CPU_IDCT_SIMD_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/backends/cpu/host/stores.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

// A piece of a macroblock queue: items begin..end-1, where item k is macroblock order[k], or
// macroblock k itself if `order` is null. Some hundred items or more hide the cost of a call.
struct MacroblockBatch {
  const TransformSize* sizes = nullptr;        // One per macroblock.
  const std::int16_t* coefficients = nullptr;  // 256 per macroblock, laid out as in macroblock.h.
  const std::uint32_t* order = nullptr;
  std::size_t begin = 0;
  std::size_t end = 0;
};

using cpu::Stores;

// Writes the 256 residual samples of macroblock m to residual + 256 * m for every m in the batch.
// `residual` must not overlap the coefficients. kStreaming has an effect only if `residual` is
// aligned to 64 bytes.
void inverse_transform(const MacroblockBatch& batch, std::int16_t* residual,
                       Stores stores = Stores::kCached);

// Writes macroblock m of `output`, counted in raster order, as clip255(prediction + residual). Both
// planes have the same width and hold every m in the batch; they may be the same plane. Several
// pictures stacked vertically are one plane.
void reconstruct(const MacroblockBatch& batch, ConstPlane prediction, Plane output);

// Chooses 256-bit vectors on processors with 512-bit ones, or undoes that, so that a test can reach
// both. No other call may be running.
void set_half_width_for_test(bool value);

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_CPU_IDCT_SIMD_H_
