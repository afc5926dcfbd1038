// SPDX-License-Identifier: Apache-2.0

// What is left of a picture's residual when only its quality is asked for.
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_RESIDUAL_FEATURES_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_RESIDUAL_FEATURES_H_

#include <cstdint>

namespace millrace::idct {

// Sums over the samples of a picture's residual. The squares are the energy that its prediction
// lacked: with the samples' number, the PSNR of the prediction against the reconstruction, as long
// as nothing is clipped.
struct ResidualFeatures {
  std::uint64_t sum_of_squares = 0;
  std::uint64_t sum_of_absolutes = 0;

  bool operator==(const ResidualFeatures&) const = default;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_RESIDUAL_FEATURES_H_
