// SPDX-License-Identifier: Apache-2.0

// The values of a coded macroblock that later ones depend on, beside its decisions.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CODED_BORDER_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CODED_BORDER_H_

#include <millrace/algorithms/h264/entropy/slice_parameters.h>
#include <millrace/algorithms/h264/macroblock.h>

namespace millrace::h264 {

struct CodedBorder {
  CodedEdge bottom;  // Numbers of coefficients, by which codes of coefficients are chosen.
  CodedEdge right;
  MotionVector bottom_differences[4];  // Vector differences, which CABAC alone uses.
  MotionVector right_differences[4];
};

// Borders of the macroblocks at left and above; null: not available. Not owned.
struct BordersAround {
  const CodedBorder* left = nullptr;
  const CodedBorder* above = nullptr;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CODED_BORDER_H_
