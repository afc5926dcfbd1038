// SPDX-License-Identifier: Apache-2.0

// The first table of a performance page, which is also README's.
#ifndef MILLRACE_TOOLS_REPORT_PERFORMANCE_HEADLINE_H_
#define MILLRACE_TOOLS_REPORT_PERFORMANCE_HEADLINE_H_

#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/performance/performance_rows.h>

#include <vector>

namespace millrace::tools {

// Rows of one of the machines of `merged`.
struct MachineRows {
  const Machine* machine = nullptr;
  std::vector<PerformanceRow> rows;
};

// A row for each algorithm that was measured, and a column for each machine.
Table headline_table(const std::vector<MachineRows>& machines);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PERFORMANCE_HEADLINE_H_
