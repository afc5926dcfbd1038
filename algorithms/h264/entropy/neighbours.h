// SPDX-License-Identifier: Apache-2.0

// The macroblocks around the current one that are available to it (ITU-T H.264 clause 6.4.9).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_NEIGHBOURS_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_NEIGHBOURS_H_

#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/runtime/core/target_function.h>

namespace millrace::h264 {

// A 4x4 block of a macroblock; null: not available.
struct BlockOf {
  const Macroblock* macroblock;
  int block;  // Raster index.

  MILLRACE_FUNCTION int block_8x8() const { return (block >> 2 & 2) + (block >> 1 & 1); }
};

// Macroblocks A to D by position; null: outside of the slice. Not owned.
struct Neighbours {
  const Macroblock* current = nullptr;
  const Macroblock* left = nullptr;
  const Macroblock* above = nullptr;
  const Macroblock* above_right = nullptr;
  const Macroblock* above_left = nullptr;

  // Return the blocks left of and above block (x, y) of the current macroblock.
  MILLRACE_FUNCTION BlockOf left_of(int x, int y) const {
    return x > 0 ? BlockOf{current, 4 * y + x - 1} : BlockOf{left, 4 * y + 3};
  }
  MILLRACE_FUNCTION BlockOf above_of(int x, int y) const {
    return y > 0 ? BlockOf{current, 4 * y + x - 4} : BlockOf{above, 12 + x};
  }
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_NEIGHBOURS_H_
