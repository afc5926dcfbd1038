// SPDX-License-Identifier: Apache-2.0

// The losses and gains of the full search with the paper's predictors as a workload: tables 2 to 4
// of the paper (motion_paper_input.h) with the cost J in place of the bit rate.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_QUALITY_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_QUALITY_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <string>

namespace millrace::tools {

inline constexpr char kMotionQuality[] = "motion-quality";

// Strategies, in the order of quality_searches(): search_motion() on the device; on one thread of
// the host, in coding order with the standard's predictors, the full search and the fast ones; and
// the fast ones with the predictors of search_motion().
inline constexpr const char* kMotionQualityStrategies[] = {
    "full-by-previous", "full", "hexagon", "diamond", "hexagon-by-previous", "diamond-by-previous"};

// Names of values at a QP: J of the chosen modes a macroblock, coded with the standard's predictors
// and as the search itself has chosen them; and PSNR of the predicted luma in dB, which is left out
// where the prediction is perfect.
std::string coded_cost_name(int qp);
std::string searched_cost_name(int qp);
std::string psnr_name(int qp);

// All 41 partitions to quarter samples. Timed is the search of the last picture: on one thread by
// its CPU time, which other programs disturb less than the clock's.
Workload motion_quality_workload();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_QUALITY_WORKLOAD_H_
