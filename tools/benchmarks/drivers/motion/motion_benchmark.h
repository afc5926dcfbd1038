// SPDX-License-Identifier: Apache-2.0

// `bench motion`: the full search of motion_search.h, of pictures that are on the device and of
// clips that go through it (MotionEstimator), by size, range and precision.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_MOTION_MOTION_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_MOTION_MOTION_BENCHMARK_H_

#include <cstddef>
#include <string>
#include <vector>

#include <millrace/algorithms/motion_estimation/motion_search.h>

namespace millrace::tools {

struct PictureSize {
  int width = 0;
  int height = 0;
};

struct MotionBenchmarkOptions {
  std::string device = "tbb";
  double seconds = 2;  // For each size and range.
  std::vector<PictureSize> sizes{{640, 480}, {1280, 720}, {1920, 1080}, {3840, 2160}};
  std::vector<int> ranges{32};
  std::vector<motion::Precision> precisions{motion::Precision::kInteger, motion::Precision::kHalf,
                                            motion::Precision::kQuarter};
  std::string clip{};        // Its first pictures and its size, in place of a moving texture.
  std::size_t pictures = 0;  // That a run searches; 0: by the device and the size.
  std::size_t rounds = 5;    // At least.
  std::string csv{};         // The table's figures go there too.

  // An x264 program, which codes the same pictures beside the quarter-sample search: a whole
  // encoder, whose own full search covers fewer partitions. Empty: none.
  std::string x264{};
};

// Parses sizes from texts such as "1920x1080". Throws kInvalidArgument for others.
std::vector<PictureSize> picture_sizes(const std::vector<std::string>& texts);

// The name of a precision as options and tables have it.
const char* name_of(motion::Precision precision);

// Prints a row for each way a picture is searched, in frames/s and candidates (positions of the
// 16x16 macroblock)/s; on the CPU by one and two threads, and without AVX-512 where there is some.
// Prints the bars where there are some: those of GPUs are an H200's, those of CPUs one Zen 5
// core's. Each way is checked against the reference first: kInternal where it differs.
void benchmark_motion(const MotionBenchmarkOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_MOTION_MOTION_BENCHMARK_H_
