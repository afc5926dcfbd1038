// SPDX-License-Identifier: Apache-2.0

// The first table of a performance page, which is also README's.
#ifndef MILLRACE_TOOLS_REPORT_PERFORMANCE_HEADLINE_H_
#define MILLRACE_TOOLS_REPORT_PERFORMANCE_HEADLINE_H_

#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/performance/limit_share.h>
#include <millrace/tools/report/performance/newest_results.h>
#include <millrace/tools/report/performance/performance_rows.h>
#include <millrace/tools/report/performance/run_names.h>

#include <vector>

namespace millrace::tools {

// Figures of a machine, and rows that point into them.
struct MachineRows {
  const NewestResults* newest = nullptr;
  std::vector<PerformanceRow> rows;
};

// A row for each algorithm that was measured, and a column for each machine that measured one. Each
// figure names its run. Adds the limits that a share exceeds to `exceeded`.
Table headline_table(const std::vector<MachineRows>& machines, RunNames& runs,
                     ExceededLimits& exceeded);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PERFORMANCE_HEADLINE_H_
