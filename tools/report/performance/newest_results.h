// SPDX-License-Identifier: Apache-2.0

// The newest figures of each machine, from all of its files.
#ifndef MILLRACE_TOOLS_REPORT_PERFORMANCE_NEWEST_RESULTS_H_
#define MILLRACE_TOOLS_REPORT_PERFORMANCE_NEWEST_RESULTS_H_

#include <millrace/tools/report/analysis/merged_results.h>

#include <vector>

namespace millrace::tools {

// Members of the same index belong to one label, in the order in which labels come first.
struct NewestResults {
  // Results of the newest file of the label, with the measurements that older ones have of other
  // workloads, inputs, sizes or devices, and with what these refer to: limits, devices and input
  // files.
  MergedResults merged;
  // Files with a measurement above, the newest first. Points into the results given.
  std::vector<std::vector<const Results*>> runs;
};

// `all` must outlive what is returned.
NewestResults newest_results(const MergedResults& all);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PERFORMANCE_NEWEST_RESULTS_H_
