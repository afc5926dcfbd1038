// SPDX-License-Identifier: Apache-2.0

// The last column of a table whose rows are of several runs.
#ifndef MILLRACE_TOOLS_REPORT_SECTIONS_RUN_COLUMN_H_
#define MILLRACE_TOOLS_REPORT_SECTIONS_RUN_COLUMN_H_

#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/results/results.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {

// Returns a measurement's cell in the column: the short name of its run, "[2]". Empty: the table
// has no such column. The performance page's is by RunNames (performance/run_names.h).
using RunColumn = std::function<std::string(const Measurement&)>;

inline void add_run_column(Table& table, const RunColumn& run_column) {
  if (run_column) table.columns.push_back({"From run"});
}

// Adds the row with the run of `measurement` as its last cell.
inline void add_row(Table& table, std::vector<std::string> row, const Measurement& measurement,
                    const RunColumn& run_column) {
  if (run_column) row.push_back(run_column(measurement));
  table.rows.push_back(std::move(row));
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_SECTIONS_RUN_COLUMN_H_
