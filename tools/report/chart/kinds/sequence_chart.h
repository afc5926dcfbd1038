// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_TOOLS_REPORT_CHART_KINDS_SEQUENCE_CHART_H_
#define MILLRACE_TOOLS_REPORT_CHART_KINDS_SEQUENCE_CHART_H_

#include <string>
#include <vector>

namespace millrace::tools {

struct ChartSeries {
  std::string name;
  std::vector<double> figures;  // One figure per item, none below 0.
};

// Figures of items in a row, such as the frames of a clip, on linear axes from 0: a line for each
// series, or columns in which the series stand on one another.
struct SequenceChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<ChartSeries> series;
  bool is_stacked = false;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_CHART_KINDS_SEQUENCE_CHART_H_
