// SPDX-License-Identifier: Apache-2.0

// A file of JSON, read as a whole.
#ifndef MILLRACE_TOOLS_REPORT_RESULTS_JSON_FILE_H_
#define MILLRACE_TOOLS_REPORT_RESULTS_JSON_FILE_H_

#include <nlohmann/json.hpp>

#include <string>

namespace millrace::tools {

// Throws kInvalidArgument with the file's name and the line and column where it is cut off or stops
// being JSON, or that a number is too large for a double, and the advice, such as "give a file that
// `millrace bench -o` wrote"; kIo where it cannot be read.
nlohmann::json read_json(const std::string& path, const std::string& advice);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_RESULTS_JSON_FILE_H_
