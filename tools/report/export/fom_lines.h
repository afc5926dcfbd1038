// SPDX-License-Identifier: Apache-2.0

// Figures of merit as lines of text that regular expressions of ReFrame and Ramble find.
#ifndef MILLRACE_TOOLS_REPORT_EXPORT_FOM_LINES_H_
#define MILLRACE_TOOLS_REPORT_EXPORT_FOM_LINES_H_

#include <millrace/tools/report/analysis/merged_results.h>

#include <ostream>

namespace millrace::tools {

// Writes a line for each measurement:
//
//   FOM cuda:0/sort-keys/uniform/10000000/auto,_pinned: 6.8e+09 keys/s (6.7e+09 to 6.9e+09)
//   FOM cuda:0/sort-keys/uniform/10000000/other: wrong
//
// The name is measurement_name()'s. Numbers have six significant digits and no prefix; a
// unit is one word. `out` shows
// what could not be written, in its own way.
void write_fom_lines(std::ostream& out, const MergedResults& merged);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_EXPORT_FOM_LINES_H_
