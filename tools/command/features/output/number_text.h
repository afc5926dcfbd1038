// SPDX-License-Identifier: Apache-2.0

// Numbers and strings as text of JSON and CSV.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_NUMBER_TEXT_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_NUMBER_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::tools {

// Appends a number with the fewest digits that give it back; whole ones without a point.
void append_number(std::string& text, double number);

// Returns a string in quotes; bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

// Returns a field of a CSV file, in quotes where it needs them (RFC 4180).
std::string csv_field(std::string_view text);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_NUMBER_TEXT_H_
