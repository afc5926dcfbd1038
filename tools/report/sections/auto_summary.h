// SPDX-License-Identifier: Apache-2.0

// A table of the time under `auto` beside that under the best fixed policy, also of its first run
// of a kind.
#ifndef MILLRACE_TOOLS_REPORT_SECTIONS_AUTO_SUMMARY_H_
#define MILLRACE_TOOLS_REPORT_SECTIONS_AUTO_SUMMARY_H_

#include <millrace/tools/report/analysis/auto_ratio.h>
#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/sections/run_column.h>

#include <vector>

namespace millrace::tools {

// Returns rows for each device, and for all if there are several: times under `auto`, of the best
// policy run again, and of first runs under `auto`, as ratios to the best fixed policy's. The run
// of a row is that of its worst ratio. Without rows where there are no ratios.
Table auto_summary_table(const MergedResults& merged, const std::vector<AutoRatio>& ratios,
                         const RunColumn& run_column = {});

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_SECTIONS_AUTO_SUMMARY_H_
