// SPDX-License-Identifier: Apache-2.0

// The features of an H.264 stream's own queue, by picture.
#ifndef MILLRACE_TOOLS_COMMAND_IDCT_STREAM_FEATURES_H_
#define MILLRACE_TOOLS_COMMAND_IDCT_STREAM_FEATURES_H_

#include <millrace/algorithms/h264/queue/luma_queue.h>

#include <cstdint>
#include <ostream>
#include <span>

namespace millrace::tools {

struct StreamFeatures {
  h264::LumaStatistics luma;
  double residual_energy = 0;  // Mean of residual^2 over the samples of the queue.
  double blockiness = 0;       // As PictureFeatures has it, of the decoded picture.
};

// Fractions of the macroblocks or coefficients of a queue; 0 of an empty one.
double coded_fraction(const h264::LumaStatistics& luma);
double fraction_8x8(const h264::LumaStatistics& luma);
double zero_coefficient_fraction(const h264::LumaStatistics& luma);

// Returns the mean of squares; 0 of no samples.
double mean_square(std::span<const std::int16_t> residual);

// Writes features as CSV: a header and a line for each picture.
class StreamFeatureTable {
 public:
  explicit StreamFeatureTable(std::ostream& out);

  void add(const StreamFeatures& features);

 private:
  std::ostream& out_;
  std::int64_t frame_ = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_IDCT_STREAM_FEATURES_H_
