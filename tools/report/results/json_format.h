// SPDX-License-Identifier: Apache-2.0

// The two members by which a JSON file says what it is: "format" and "schema".
#ifndef MILLRACE_TOOLS_REPORT_RESULTS_JSON_FORMAT_H_
#define MILLRACE_TOOLS_REPORT_RESULTS_JSON_FORMAT_H_

#include <millrace/tools/report/results/json_object.h>

#include <string>

namespace millrace::tools {

struct JsonFormat {
  const char* word;  // The member "format" of every such file.
  const char* what;  // For people: "benchmark results".
  int newest;        // The newest "schema" that can be read; the first is 1.
};

// Returns the schema of the file at `path`, whose contents are `json`. Throws kInvalidArgument if
// it is of another format or of a newer schema.
int read_schema(const JsonObject& json, const std::string& path, const JsonFormat& format);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_RESULTS_JSON_FORMAT_H_
