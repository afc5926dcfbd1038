// SPDX-License-Identifier: Apache-2.0

// Measurements as a table of comma-separated values, for spreadsheets, pandas and R.
#ifndef MILLRACE_TOOLS_REPORT_EXPORT_MEASUREMENT_CSV_H_
#define MILLRACE_TOOLS_REPORT_EXPORT_MEASUREMENT_CSV_H_

#include <millrace/tools/report/analysis/merged_results.h>

#include <ostream>

namespace millrace::tools {

// Writes a line of names and a row for each measurement of each machine, in the files' order. A
// figure that is not known is empty, as are the figures of what was not timed. `median`, `low` and
// `high` are the figure of merit, in `unit`. `out` shows what could not be written, in its own way.
void write_measurement_csv(std::ostream& out, const MergedResults& merged);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_EXPORT_MEASUREMENT_CSV_H_
