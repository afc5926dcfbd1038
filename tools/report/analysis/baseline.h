// SPDX-License-Identifier: Apache-2.0

// The baseline that speed-ups are relative to.
#ifndef MILLRACE_TOOLS_REPORT_ANALYSIS_BASELINE_H_
#define MILLRACE_TOOLS_REPORT_ANALYSIS_BASELINE_H_

#include <millrace/tools/report/analysis/curve.h>
#include <millrace/tools/report/analysis/merged_results.h>

#include <string>

namespace millrace::tools {

// A device, and what ran on it; where `contender` is empty, the fastest of Millrace's at each size.
struct Baseline {
  Platform platform;
  std::string contender;
};

// Parses LABEL:DEVICE[:CONTENDER]. Throws kInvalidArgument, which lists the names that exist.
Baseline parse_baseline(const MergedResults& merged, const std::string& text);

// The first device of the first machine, which is a CPU where it has one.
Baseline default_baseline(const MergedResults& merged);

// "tbb (server)", "tbb (server), persistent"
std::string baseline_name(const MergedResults& merged, const Baseline& baseline);

// Returns the curve of the baseline in a group. It has no points if the baseline was not measured
// there.
Curve curve_of(const Group& group, const Baseline& baseline);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_ANALYSIS_BASELINE_H_
