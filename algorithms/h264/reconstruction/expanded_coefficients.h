// SPDX-License-Identifier: Apache-2.0

// All coefficients of one macroblock of a picture after another.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_EXPANDED_COEFFICIENTS_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_EXPANDED_COEFFICIENTS_H_

#include <millrace/algorithms/h264/coded_coefficient.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>

namespace millrace::h264 {

// Expands lists of coefficients into the same memory, which stays in the cache. The picture must
// outlive it.
class ExpandedCoefficients {
 public:
  explicit ExpandedCoefficients(const PictureView& picture) : picture_(picture) {}

  // Returns the coefficients of a macroblock until the next call; null where the picture has none.
  const MacroblockCoefficients* operator()(int index) {
    if (picture_.coefficient_ranges == nullptr) return nullptr;
    erase(coded_, coefficients_);
    coded_ = picture_.coefficients_of(index);
    expand(coded_, coefficients_);
    return &coefficients_;
  }

 private:
  const PictureView& picture_;
  CoefficientView coded_;  // The coefficients to expand.
  alignas(64) MacroblockCoefficients coefficients_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_EXPANDED_COEFFICIENTS_H_
