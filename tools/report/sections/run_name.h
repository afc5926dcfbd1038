// SPDX-License-Identifier: Apache-2.0

// The last column of a table whose rows are of several runs.
#ifndef MILLRACE_TOOLS_REPORT_SECTIONS_RUN_NAME_H_
#define MILLRACE_TOOLS_REPORT_SECTIONS_RUN_NAME_H_

#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/results/results.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {

// Returns the short name of the run that a measurement is of: "[2]". Empty: rows do not name runs.
using RunName = std::function<std::string(const Measurement&)>;

inline void add_run_column(Table& table, const RunName& run_name) {
  if (run_name) table.columns.push_back({"From run"});
}

// Adds the row with the run of `measurement` as its last cell.
inline void add_row(Table& table, std::vector<std::string> row, const Measurement& measurement,
                    const RunName& run_name) {
  if (run_name) row.push_back(run_name(measurement));
  table.rows.push_back(std::move(row));
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_SECTIONS_RUN_NAME_H_
