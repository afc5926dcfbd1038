// SPDX-License-Identifier: Apache-2.0

// The newest figures of each machine, from all of its files.
#ifndef MILLRACE_TOOLS_REPORT_PERFORMANCE_NEWEST_RESULTS_H_
#define MILLRACE_TOOLS_REPORT_PERFORMANCE_NEWEST_RESULTS_H_

#include <millrace/tools/report/analysis/merged_results.h>

#include <cstddef>
#include <vector>

namespace millrace::tools {

// The newest figures of a label. Points into the results that it is made of.
struct NewestResults {
  // One machine: results of the newest file of the label, with the measurements that older ones
  // have of other workloads, inputs, sizes or devices, and with what these refer to: limits,
  // devices and input files.
  MergedResults merged;
  std::vector<const Results*> runs;              // Results with a measurement above, newest first.
  std::vector<const Results*> measurement_runs;  // The run of each measurement above.

  const Machine& machine() const { return merged.machines.front(); }

  // `measurement` is one of `merged`.
  const Results& run_of(const Measurement& measurement) const {
    return *measurement_runs[static_cast<std::size_t>(&measurement -
                                                      machine().results.measurements.data())];
  }
};

// Returns an element for each label, in the order in which labels come first. `all` must outlive
// what is returned.
std::vector<NewestResults> newest_results(const MergedResults& all);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PERFORMANCE_NEWEST_RESULTS_H_
