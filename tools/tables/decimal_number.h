// SPDX-License-Identifier: Apache-2.0

// Decimal numbers as tables have them.
#ifndef MILLRACE_TOOLS_TABLES_DECIMAL_NUMBER_H_
#define MILLRACE_TOOLS_TABLES_DECIMAL_NUMBER_H_

#include <string>
#include <string_view>

namespace millrace::tools {

enum class DecimalMark { kPoint, kComma };

// Reads a decimal number with spaces around it, and nothing else: "-1.5", "+2", "4e0". It may begin
// with + or a Unicode minus sign. A number too small for a double is 0. Returns false for what is
// no number or not finite; 1e400 is not.
bool parse_number(std::string_view text, double& number, DecimalMark mark = DecimalMark::kPoint);

// True unless `text`, which was read as `number`, is a whole number of digits alone that a double
// does not hold, such as 2^53 + 1.
bool is_exact(std::string_view text, double number);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TABLES_DECIMAL_NUMBER_H_
