// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_TOOLS_REPORT_CHART_KINDS_CASCADE_CHART_H_
#define MILLRACE_TOOLS_REPORT_CHART_KINDS_CASCADE_CHART_H_

#include <string>
#include <vector>

namespace millrace::tools {

struct CascadeLine {
  std::string name;
  std::vector<double> efficiencies;  // 0 to 1, descending; 0: not supported.
  double portability = 0;            // Harmonic mean of all, written behind the name.
};

// Efficiencies of applications on the platform each does best on, the next, and so on: a line ends
// at the last platform that its application supports.
struct CascadeChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<CascadeLine> lines;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_CHART_KINDS_CASCADE_CHART_H_
