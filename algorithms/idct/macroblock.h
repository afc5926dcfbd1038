// SPDX-License-Identifier: Apache-2.0

// What an IDCT work item is: a tag and 256 coefficients in, 256 residual samples out.
//
// A macroblock is 16x16 samples, transformed as 16 blocks of 4x4 or 4 blocks of 8x8.
//
// Coefficient layout. The 256 dequantised coefficients are a 16x16 array in raster order, and every
// n x n block keeps its place in it, but TRANSPOSED: coefficient c_ij of the block in column bx,
// row by (i the row and j the column of the block, as in ITU-T H.264 clauses 8.5.12.2 and 8.5.13)
// is element [n * by + j][n * bx + i]:
//
//            x = n*bx   n*bx+1   n*bx+2 ..
//   y = n*by     c_00     c_10     c_20 ..
//   n*by + 1     c_01     c_11     c_21 ..
//
// The standard transforms each row first; with this layout that is adds between whole rows of
// memory, and one transposition in registers later the samples leave in raster order.
//
// Residual layout: 16x16 int16 in raster order.
#ifndef MILLRACE_ALGORITHMS_IDCT_MACROBLOCK_H_
#define MILLRACE_ALGORITHMS_IDCT_MACROBLOCK_H_

#include <millrace/algorithms/picture/plane.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

enum class TransformSize : std::uint8_t { k4x4, k8x8 };

using picture::kMacroblockWidth;
inline constexpr int kMacroblockSamples = kMacroblockWidth * kMacroblockWidth;

// Rows and columns of one block: 4 or 8.
MILLRACE_FUNCTION constexpr int block_width(TransformSize size) {
  return size == TransformSize::k4x4 ? 4 : 8;
}

// Where coefficient c_ij of block (bx, by) is among the 256 of its macroblock.
MILLRACE_FUNCTION constexpr int coefficient_index(TransformSize size, int bx, int by, int i,
                                                  int j) {
  const int n = block_width(size);
  return kMacroblockWidth * (n * by + j) + n * bx + i;
}

// `count` macroblocks in memory that whoever works on them reads; not owned. Coefficients are laid
// out as above, 256 per macroblock.
struct MacroblockQueue {
  const TransformSize* sizes = nullptr;
  const std::int16_t* coefficients = nullptr;
  std::size_t count = 0;
};

using Plane = picture::BasicPlane<std::uint8_t>;
using ConstPlane = picture::BasicPlane<const std::uint8_t>;

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_MACROBLOCK_H_
