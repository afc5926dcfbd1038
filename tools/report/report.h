// SPDX-License-Identifier: Apache-2.0

// A report of what was measured on one or several machines.
//
//   const MergedResults merged = merge_results({"lab.json", "laptop.json"});
//   write_page(out, report_of(merged, {}));
#ifndef MILLRACE_TOOLS_REPORT_REPORT_H_
#define MILLRACE_TOOLS_REPORT_REPORT_H_

#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/targets/targets.h>

#include <string>
#include <vector>

namespace millrace::tools {

struct ReportOptions {
  std::string title = {};     // Empty: made of the machines' labels.
  std::string baseline = {};  // See parse_baseline; empty: default_baseline.
  std::vector<TargetSet> targets = {};
};

// Throws Error (kInvalidArgument) if `baseline` or a timeline is not valid.
Document report_of(const MergedResults& merged, const ReportOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_REPORT_H_
