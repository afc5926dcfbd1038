// SPDX-License-Identifier: Apache-2.0

// Features of a picture's residual that describe its quality.
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_RESIDUAL_FEATURES_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_RESIDUAL_FEATURES_H_

#include <cstdint>

namespace millrace::idct {

// Sums over the samples of a picture's residual. With the number of samples, the sum of squares
// gives the PSNR of the prediction against the reconstruction, as long as no sample is clipped.
struct ResidualFeatures {
  std::uint64_t sum_of_squares = 0;
  std::uint64_t sum_of_absolutes = 0;

  bool operator==(const ResidualFeatures&) const = default;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_RESIDUAL_FEATURES_H_
