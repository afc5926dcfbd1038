// SPDX-License-Identifier: Apache-2.0

// A picture as its features read it: views that hosts and devices can read.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_MEASURED_PICTURE_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_MEASURED_PICTURE_H_

#include <millrace/algorithms/h264/coded_coefficient.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/slice.h>

#include <cstdint>

namespace millrace::h264 {

// One entry of a reference list. The distance in output order is in pictures and at least 1. All
// members are 0 where the picture is missing.
struct MeasuredReference {
  double vector_scale = 0;                 // 0.5 / distance in output order.
  std::int32_t twice_output_distance = 0;  // An integer: PicOrderCnt steps are 1 or 2.
  std::int32_t decoding_distance = 0;      // Counted in pictures; at least 1.

  friend bool operator==(const MeasuredReference&, const MeasuredReference&) = default;
};

struct MeasuredSlice {
  SliceType type;
  std::int32_t counts[2];                  // Lengths of the reference lists.
  const MeasuredReference* references[2];  // RefPicList0 and RefPicList1.
  // The list that CoefficientRange::first of the slice's macroblocks counts from.
  const CodedCoefficient* coefficients;
};

struct MeasuredPicture {
  const Macroblock* macroblocks;   // Stored in raster order.
  const CoefficientRange* ranges;  // Indexed by macroblock; null: no coefficients wanted.
  const MeasuredSlice* slices;     // Macroblock::slice counts them.
  std::int32_t slice_count;
  std::int32_t width;  // Counted in macroblocks.
  std::int32_t height;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_MEASURED_PICTURE_H_
