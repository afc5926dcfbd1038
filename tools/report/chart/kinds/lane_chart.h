// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_TOOLS_REPORT_CHART_KINDS_LANE_CHART_H_
#define MILLRACE_TOOLS_REPORT_CHART_KINDS_LANE_CHART_H_

#include <string>
#include <vector>

namespace millrace::tools {

struct ChartSpan {
  std::string name;
  double begin = 0;
  double end = 0;
};

struct ChartLane {
  std::string name;
  std::vector<ChartSpan> spans;
};

// A timeline that shows what ran when, with each lane below the one before it.
struct LaneChart {
  std::string title;
  std::string x_label;
  std::vector<ChartLane> lanes;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_CHART_KINDS_LANE_CHART_H_
