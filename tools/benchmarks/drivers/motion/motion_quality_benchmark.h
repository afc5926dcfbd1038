// SPDX-License-Identifier: Apache-2.0

// The losses and gains of the full search with the paper's predictors, on real clips: tables in the
// form of 2 to 10 of Rodriguez-Sanchez, Martinez, Fernandez-Escribano, Sanchez and Claver,
// "H.264/AVC inter prediction on accelerator-based multi-core systems", Multimedia Tools and
// Applications 66, 2013, with the cost J in place of the bit rate.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_MOTION_MOTION_QUALITY_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_MOTION_MOTION_QUALITY_BENCHMARK_H_

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::tools {

struct MotionQualityOptions {
  std::string device = "tbb";
  double seconds = 2;  // For the rates on each clip; three rounds at least.
  std::vector<std::string> clips{};
  std::size_t frames = 12;  // Frames of each clip; the first is not searched.
  int range = 32;
};

// Prints, of each clip at QP 28, 32, 36 and 40 and quarter samples, J of the chosen modes and the
// PSNR of the motion-compensated luma by several searches; then means over QPs as differences, and
// frames/s of the searches of all 41 partitions at QP 32. Throws kInvalidArgument where there is no
// clip or a clip has one picture, and what VideoReader throws.
void benchmark_motion_quality(const MotionQualityOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_MOTION_MOTION_QUALITY_BENCHMARK_H_
