// SPDX-License-Identifier: Apache-2.0

// The IDCT work item: a tag and 256 coefficients in, 256 residual samples out.
#ifndef MILLRACE_ALGORITHMS_IDCT_MACROBLOCK_H_
#define MILLRACE_ALGORITHMS_IDCT_MACROBLOCK_H_

#include <millrace/algorithms/picture/basic_plane.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

enum class TransformSize : std::uint8_t { k4x4, k8x8 };

using picture::kMacroblockWidth;
inline constexpr int kMacroblockSamples = kMacroblockWidth * kMacroblockWidth;

// Returns the rows and columns of one block: 4 or 8.
MILLRACE_FUNCTION constexpr int block_width(TransformSize size) {
  return size == TransformSize::k4x4 ? 4 : 8;
}

// Returns the index of coefficient c_ij of block (bx, by) among the 256 of its macroblock.
MILLRACE_FUNCTION constexpr int coefficient_index(TransformSize size, int bx, int by, int i,
                                                  int j) {
  const int n = block_width(size);
  return kMacroblockWidth * (n * by + j) + n * bx + i;
}

// A queue of `count` macroblocks, not owned, in memory that the executing device can read.
// Coefficients are laid out as above, 256 per macroblock.
struct MacroblockQueue {
  const TransformSize* sizes = nullptr;
  const std::int16_t* coefficients = nullptr;
  std::size_t count = 0;
};

using Plane = picture::BasicPlane<std::uint8_t>;
using ConstPlane = picture::BasicPlane<const std::uint8_t>;

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_MACROBLOCK_H_
