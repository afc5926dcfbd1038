// SPDX-License-Identifier: Apache-2.0

// The times of a picture's motion search, as tables 5 to 10 of the paper compare them.
#ifndef MILLRACE_TOOLS_REPRODUCE_MOTION_MOTION_TIMES_H_
#define MILLRACE_TOOLS_REPRODUCE_MOTION_MOTION_TIMES_H_

#include <string>

#include <millrace/tools/benchmarks/workloads/motion/motion_comparison.h>
#include <millrace/tools/reproduce/tables/reproduction.h>

namespace millrace::tools {

// Seconds a picture.
struct MotionTimes {
  std::string name;  // Name of the clip.

  // Times of one core. `full` searches in coding order, as the JM does. `fast_full` calls
  // search_motion(), which shares the sums of 4x4 blocks, as the fast full search does. `hexagon`
  // searches in the manner of UMHexagonS.
  double full = 0;
  double fast_full = 0;
  double hexagon = 0;

  double streamed = 0;  // Through the device, from host memory and back, with modes.
  double resident = 0;  // The search alone, of pictures on the device.
};

// Both searches on the device are checked against the reference before they are timed: throws
// kInternal where one differs.
MotionTimes measure_motion_times(const ReproduceOptions& options, const MotionClip& clip,
                                 int range);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_MOTION_MOTION_TIMES_H_
