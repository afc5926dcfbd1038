// SPDX-License-Identifier: Apache-2.0

// Tables 5 to 10 of the paper (motion_paper_input.h) as a workload: the time of a picture's search
// on the device and on one core.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_PAPER_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_PAPER_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

namespace millrace::tools {

inline constexpr char kMotionPaper[] = "motion-paper";

// Strategies. On the device: pictures through it, from host memory, with modes, and back; and the
// search alone of pictures that are there.
inline constexpr char kMotionStreamed[] = "streamed";
inline constexpr char kMotionResident[] = "resident";

// By one core, timed by its CPU time: the full search in coding order, as the JM does it;
// search_motion(), which shares the sums of 4x4 blocks, as the JM's fast full search does; and a
// search in the manner of UMHexagonS.
inline constexpr char kMotionCoreFull[] = "core-full";
inline constexpr char kMotionCoreFastFull[] = "core-fast-full";
inline constexpr char kMotionCoreHexagon[] = "core-hexagon";

// All 41 partitions to quarter samples.
Workload motion_paper_workload();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_PAPER_WORKLOAD_H_
