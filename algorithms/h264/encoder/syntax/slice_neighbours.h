// SPDX-License-Identifier: Apache-2.0

// Finds the neighbours of a macroblock in its slice.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_SLICE_NEIGHBOURS_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_SLICE_NEIGHBOURS_H_

#include <millrace/algorithms/h264/entropy/neighbours.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/runtime/core/target_function.h>

namespace millrace::h264 {

// Returns the neighbours of macroblock `address` of a picture that is `width` macroblocks across.
// The macroblocks before it must have their slice set.
MILLRACE_FUNCTION inline Neighbours neighbours_of(const Macroblock* macroblocks, int width,
                                                  int address) {
  const Macroblock* const current = macroblocks + address;
  const int x = address % width;
  const auto in_slice = [current](const Macroblock* macroblock) {
    return macroblock->slice == current->slice ? macroblock : nullptr;
  };
  Neighbours around;
  around.current = current;
  if (x > 0) {
    around.left = in_slice(current - 1);
  }
  if (address >= width) {
    around.above = in_slice(current - width);
    if (x > 0) {
      around.above_left = in_slice(current - width - 1);
    }
    if (x + 1 < width) {
      around.above_right = in_slice(current - width + 1);
    }
  }
  return around;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_SLICE_NEIGHBOURS_H_
