// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_TOOLS_REPORT_CHART_KINDS_BAR_CHART_H_
#define MILLRACE_TOOLS_REPORT_CHART_KINDS_BAR_CHART_H_

#include <string>
#include <vector>

namespace millrace::tools {

struct ChartBar {
  std::string name;
  std::vector<double> figures;  // One figure per series of the chart, none below 0.
  double low = 0;               // An interval around their sum, drawn unless both ends are 0.
  double high = 0;
};

// Bars on an axis from 0; a bar's figures of all series follow one another.
struct BarChart {
  std::string title;
  std::string unit;
  std::vector<std::string> series;  // Named below the chart where there are several.
  std::vector<ChartBar> bars;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_CHART_KINDS_BAR_CHART_H_
