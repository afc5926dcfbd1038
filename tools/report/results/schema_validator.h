// SPDX-License-Identifier: Apache-2.0

// Validation of files by tools/report/results/validate.py, for tests.
#ifndef MILLRACE_TOOLS_REPORT_RESULTS_SCHEMA_VALIDATOR_H_
#define MILLRACE_TOOLS_REPORT_RESULTS_SCHEMA_VALIDATOR_H_

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {

class SchemaValidator {
 public:
  // Results of validate().
  static constexpr int kConforms = 0;
  static constexpr int kViolates = 1;
  static constexpr int kNoValidator = 3;  // There is no python3-jsonschema.

  // Violations are written to the file at `violations`.
  SchemaValidator(std::string schema, std::string violations)
      : schema_(std::move(schema)), violations_(std::move(violations)) {}

  int validate(const std::vector<std::string>& paths) const {
    std::string command = "/usr/bin/python3 tools/report/results/validate.py " + schema_;
    for (const std::string& path : paths) command += " '" + path + "'";
    return WEXITSTATUS(std::system((command + " >'" + violations_ + "'").c_str()));
  }

  std::string violations() const {
    std::ostringstream text;
    text << std::ifstream(violations_).rdbuf();
    return text.str();
  }

 private:
  std::string schema_;
  std::string violations_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_RESULTS_SCHEMA_VALIDATOR_H_
