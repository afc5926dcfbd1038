// SPDX-License-Identifier: Apache-2.0

// The performance page: a short report of the newest results of each machine.
#ifndef MILLRACE_TOOLS_REPORT_PERFORMANCE_PERFORMANCE_H_
#define MILLRACE_TOOLS_REPORT_PERFORMANCE_PERFORMANCE_H_

#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/report.h>

namespace millrace::tools {

// If several files have a label, the one that was started last counts, and older ones where it has
// nothing. The first table is of all machines, one row for each algorithm; figures are of one
// machine. Each row names its run, and the last table lists runs. `options.baseline` has no effect.
Document performance_of(const MergedResults& merged, const ReportOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PERFORMANCE_PERFORMANCE_H_
