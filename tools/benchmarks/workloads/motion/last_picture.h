// SPDX-License-Identifier: Apache-2.0

// The search whose time is compared: of the last picture of a clip in the one before it.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_LAST_PICTURE_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_LAST_PICTURE_H_

#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_input.h>
#include <millrace/tools/benchmarks/workloads/motion/quality/motion_quality.h>

#include <ctime>
#include <vector>

namespace millrace::tools {

// Runs `work` and returns the seconds that all threads of the process worked meanwhile.
template <class Work>
double cpu_seconds_of(const Work& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// Refers to the clip.
class LastPicture {
 public:
  explicit LastPicture(const MotionClip& clip)
      : current_(padded_luma(clip.pictures.back())),
        reference_(padded_luma(clip.pictures[clip.pictures.size() - 2])),
        predictors_(current_.macroblock_count()),
        motion_(current_.macroblock_count()) {}

  // Its predictors are zero.
  LumaFrame frame() const { return {current_, reference_, predictors_.data()}; }

  // Space for what is found.
  CodedMotion found() { return motion_.view(); }

 private:
  motion::LumaPlane<std::uint8_t> current_;
  motion::LumaPlane<std::uint8_t> reference_;
  std::vector<motion::MotionVector> predictors_;
  MotionBuffers motion_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_LAST_PICTURE_H_
