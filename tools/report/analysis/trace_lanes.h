// SPDX-License-Identifier: Apache-2.0

// A timeline read back: lanes of what ran when, and how much of it ran at once.
#ifndef MILLRACE_TOOLS_REPORT_ANALYSIS_TRACE_LANES_H_
#define MILLRACE_TOOLS_REPORT_ANALYSIS_TRACE_LANES_H_

#include <millrace/tools/report/chart/chart.h>

#include <string>
#include <vector>

namespace millrace::tools {

// The rows of a file in Chrome's Trace Event Format such as
// runtime/timeline/internal/timeline_json.h writes, in seconds from the first span's begin. Throws
// kInvalidArgument with the file's name and the location of what is wrong in it; kIo where it
// cannot be read.
std::vector<ChartLane> read_trace_lanes(const std::string& path);

// When something ran in a lane, and when in at least two lanes at once, in seconds.
struct Overlap {
  double whole = 0;              // Time from the first begin to the last end.
  double busy = 0;               // Something ran.
  double overlap = 0;            // Two or more lanes were at work.
  std::vector<double> of_lanes;  // Each lane was at work.
};

Overlap overlap_of(const std::vector<ChartLane>& lanes);

// The same lanes with spans joined that are too close to be distinguished at a chart's width, where
// `end` is the last span's end.
std::vector<ChartLane> joined(std::vector<ChartLane> lanes, double end);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_ANALYSIS_TRACE_LANES_H_
