// SPDX-License-Identifier: Apache-2.0

// Decimal numbers in tables.
#ifndef MILLRACE_TOOLS_TABLES_DECIMAL_NUMBER_H_
#define MILLRACE_TOOLS_TABLES_DECIMAL_NUMBER_H_

#include <string>
#include <string_view>

namespace millrace::tools {

enum class DecimalMark { kPoint, kComma };

// Reads a decimal number with spaces around it, and nothing else: "-1.5", "+2", "4e0". It may begin
// with + or a Unicode minus sign. A number too small for a double is 0. Returns false for any other
// text, and for numbers that are not finite, such as 1e400.
bool parse_decimal_number(std::string_view text, double& number,
                          DecimalMark mark = DecimalMark::kPoint);

// Returns false if `text`, which was read as `number`, is a whole number written in digits that is
// not exact as a double, such as 2^53 + 1.
bool is_exact(std::string_view text, double number);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TABLES_DECIMAL_NUMBER_H_
