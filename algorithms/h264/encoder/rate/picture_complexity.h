// SPDX-License-Identifier: Apache-2.0

// Estimates the bits of a picture at each QP before it is encoded.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_RATE_PICTURE_COMPLEXITY_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_RATE_PICTURE_COMPLEXITY_H_

#include <millrace/algorithms/h264/sample_picture.h>

#include <array>

namespace millrace::h264 {

struct PictureComplexity {
  static constexpr int kQps = 52;

  // Estimated bits by QP; they fall with the QP, and are above 0.
  std::array<double, kQps> bits = {};
  // Mean size of luma residuals after prediction, in sample values.
  double residual = 0;

  // Returns the bits at a QP that need not be a whole number, 0 to 51.
  double bits_at(double qp) const;
};

// Predicts sampled macroblocks of `picture` from their neighbours and, unless `before` is null,
// from that picture by vectors of half samples. Residuals are transformed, and coefficients counted
// by size; the number above the quantiser's step and their excess give the bits. The result depends
// on nothing else. Both pictures are sources of one size. Any thread may call it.
PictureComplexity picture_complexity(const SamplePicture& picture, const SamplePicture* before);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_RATE_PICTURE_COMPLEXITY_H_
