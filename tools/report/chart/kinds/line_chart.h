// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_TOOLS_REPORT_CHART_KINDS_LINE_CHART_H_
#define MILLRACE_TOOLS_REPORT_CHART_KINDS_LINE_CHART_H_

#include <string>
#include <vector>

namespace millrace::tools {

// `low` and `high` are the ends of an interval around `y`, drawn unless both are 0.
struct ChartPoint {
  double x = 0;
  double y = 0;
  double low = 0;
  double high = 0;
};

struct ChartLine {
  std::string name;
  std::vector<ChartPoint> points;  // Positive numbers, by ascending `x`.
};

// A line across the chart at `x`, which a number leads from to `text` below it.
struct ChartMark {
  double x = 0;
  std::string text;
};

// Both axes are logarithmic.
struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<ChartLine> lines;
  std::vector<ChartMark> marks = {};
  double reference = 0;  // A line along the chart at this `y`; 0: none.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_CHART_KINDS_LINE_CHART_H_
