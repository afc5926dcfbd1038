// SPDX-License-Identifier: Apache-2.0

// Rows of comma-separated values (RFC 4180).
#ifndef MILLRACE_TOOLS_REPORT_EXPORT_CSV_ROW_H_
#define MILLRACE_TOOLS_REPORT_EXPORT_CSV_ROW_H_

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::tools {

// Returns the fields with commas between them and a line feed behind them. A field with a comma, a
// quote or a line break in it is quoted.
std::string csv_row(const std::vector<std::string>& fields);

// Returns the shortest text that reads back as this number.
std::string exact_text(double number);

// Returns nothing for a number that is not known.
std::string exact_text(const std::optional<double>& number);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_EXPORT_CSV_ROW_H_
