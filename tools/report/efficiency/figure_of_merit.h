// SPDX-License-Identifier: Apache-2.0

// The figure that says how good a measurement is, for programs that compare platforms.
#ifndef MILLRACE_TOOLS_REPORT_EFFICIENCY_FIGURE_OF_MERIT_H_
#define MILLRACE_TOOLS_REPORT_EFFICIENCY_FIGURE_OF_MERIT_H_

#include <millrace/tools/report/results/results.h>

#include <string>

namespace millrace::tools {

// `low` and `high` are the ends of its interval at 95 %.
struct FigureOfMerit {
  double value = 0;
  double low = 0;
  double high = 0;
  std::string unit;  // "keys/s", or "s"
  bool is_higher_better = true;
};

// Returns true for workloads whose time is METG(50 %) of Task Bench.
bool is_metg(const Measurement& measurement);

// Returns the rate of a measurement whose status is ok; of METG the time, of which less is better.
FigureOfMerit figure_of_merit(const Measurement& measurement);

// Returns how many times as good as `other` it is; both are of one workload.
double ratio_of(const FigureOfMerit& figure, const FigureOfMerit& other);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_EFFICIENCY_FIGURE_OF_MERIT_H_
