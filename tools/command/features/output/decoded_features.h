// SPDX-License-Identifier: Apache-2.0

// Features of a frame's samples.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_DECODED_FEATURES_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_DECODED_FEATURES_H_

#include <array>
#include <cstdint>
#include <limits>

namespace millrace::tools {

inline constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

// Members without a value are NaN: all of a frame that is never output, TI of a frame without one
// of its size before it, and differences where there is no reference.
struct DecodedFeatures {
  std::int64_t output_frame = -1;  // Counted from 0 in output order; -1: never output.
  double concealed_fraction =
      kNoValue;  // Fraction of the frame's macroblocks that are copied from another picture.
  double blockiness = kNoValue;  // block_edge_step_ratio() of luma by 8x8 blocks.
  double spatial_information = kNoValue;
  double temporal_information = kNoValue;
  std::array<double, 3> mean_squared_errors = {kNoValue, kNoValue,
                                               kNoValue};  // One each for Y, Cb and Cr.
  double structural_similarity = kNoValue;                 // SSIM of Y.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_DECODED_FEATURES_H_
