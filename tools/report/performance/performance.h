// SPDX-License-Identifier: Apache-2.0

// The performance page: a short report of the newest results of each machine.
#ifndef MILLRACE_TOOLS_REPORT_PERFORMANCE_PERFORMANCE_H_
#define MILLRACE_TOOLS_REPORT_PERFORMANCE_PERFORMANCE_H_

#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/report.h>

namespace millrace::tools {

// Of several files of a label the one that was started last counts. The first table is of
// all machines, one row for each algorithm; the first two figures are of all machines, too.
// `options.baseline` has no effect.
Document performance_of(const MergedResults& merged, const ReportOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PERFORMANCE_PERFORMANCE_H_
