// SPDX-License-Identifier: Apache-2.0

// Efficiencies as a table that Intel's P3 Analysis Library (p3analysis) reads.
#ifndef MILLRACE_TOOLS_REPORT_EXPORT_P3_CSV_H_
#define MILLRACE_TOOLS_REPORT_EXPORT_P3_CSV_H_

#include <millrace/tools/report/analysis/merged_results.h>

#include <ostream>

namespace millrace::tools {

// Writes the library's columns date, problem, application, platform, fom, "app eff" and "arch eff",
// and unit and size, with a row for each application on each platform of each problem. Where it is
// not supported, fom is empty and the efficiencies are 0. "arch eff" is empty where no limit is
// known. `out` shows what could not be written, in its own way.
void write_p3_csv(std::ostream& out, const MergedResults& merged);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_EXPORT_P3_CSV_H_
