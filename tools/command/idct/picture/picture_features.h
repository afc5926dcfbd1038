// SPDX-License-Identifier: Apache-2.0

// The quality features of a reconstructed picture and of a clip, which video quality assessment
// computes from the transform.
#ifndef MILLRACE_TOOLS_COMMAND_IDCT_PICTURE_PICTURE_FEATURES_H_
#define MILLRACE_TOOLS_COMMAND_IDCT_PICTURE_PICTURE_FEATURES_H_

#include <millrace/algorithms/idct/residual_coder/residual_coder.h>
#include <millrace/tools/video/picture/picture.h>

#include <cstddef>
#include <cstdint>
#include <ostream>

namespace millrace::tools {

// Features of luma.
struct PictureFeatures {
  double mean_squared_error = 0;  // Reconstruction against source.
  double fraction_8x8 = 0;        // Fraction of macroblocks.
  double zero_coefficient_fraction = 0;
  double residual_energy = 0;  // Mean of (source - prediction)^2.
  double blockiness = 0;      // block_edge_step_ratio at 8 samples (tools/video/picture/quality.h).
  double estimated_bits = 0;  // Bits of coefficients (algorithms/idct/residual_coder/coded_cost.h).

  double psnr_db() const;
};

PictureFeatures measure_features(const Picture& source, const Picture& prediction,
                                 const Picture& reconstruction,
                                 const idct::CodingStatistics& statistics);

// Writes features as CSV: a header and a line for each picture.
class FeatureTable {
 public:
  explicit FeatureTable(std::ostream& out);

  void add(const PictureFeatures& features);

 private:
  std::ostream& out_;
  std::int64_t frame_ = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_IDCT_PICTURE_PICTURE_FEATURES_H_
