// SPDX-License-Identifier: Apache-2.0

// Compares two results and lists what became slower or wrong.
#ifndef MILLRACE_TOOLS_REPORT_ANALYSIS_COMPARE_RESULTS_H_
#define MILLRACE_TOOLS_REPORT_ANALYSIS_COMPARE_RESULTS_H_

#include <millrace/tools/report/results/results.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace millrace::tools {

// Each entry names its configuration and what happened to it.
struct Comparison {
  std::vector<std::string> slower;
  std::vector<std::string> wrong;  // Had a time or was not there, and now is wrong or has none.
  std::vector<std::string> faster;
  std::vector<std::string> unsure;  // Either, by an interval of fewer than six runs.
  std::vector<std::string> other;   // Its input is another one, so nothing can be said.
  std::vector<std::string> added;
  std::vector<std::string> gone;
  std::size_t same = 0;
  std::vector<std::string> notes;  // Differences that make the two hard to compare.

  bool is_regression() const { return !slower.empty() || !wrong.empty(); }
};

// Configurations are the same if workload, input, size, device, policy, strategy and peer are. One
// is slower, or faster, if its interval and the old one are disjoint and the medians differ by more
// than the factor 1 + `noise`. Where preparing a configuration fails, all its contenders that had a
// time have none.
Comparison compare_results(const Results& old_results, const Results& new_results, double noise);

// A paragraph for each kind of change, and a line of counts.
void print_comparison(std::ostream& out, const Comparison& comparison);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_ANALYSIS_COMPARE_RESULTS_H_
