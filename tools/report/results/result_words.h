// SPDX-License-Identifier: Apache-2.0

// Words of a file of results that both its reader and its writer know.
#ifndef MILLRACE_TOOLS_REPORT_RESULTS_RESULT_WORDS_H_
#define MILLRACE_TOOLS_REPORT_RESULTS_RESULT_WORDS_H_

#include <millrace/tools/report/results/results.h>

#include <string_view>
#include <utility>

namespace millrace::tools {

// The member "format" of every such file.
inline constexpr const char* kResultsFormat = "millrace-benchmark-results";

inline constexpr std::pair<MeasurementStatus, const char*> kStatusWords[] = {
    {MeasurementStatus::kOk, "ok"},
    {MeasurementStatus::kWrong, "wrong"},
    {MeasurementStatus::kUnsupported, "unsupported"},
    {MeasurementStatus::kFailed, "failed"}};

// False where `word` is none of them.
inline bool parse_status(std::string_view word, MeasurementStatus& status) {
  for (const auto& [value, name] : kStatusWords) {
    if (word == name) {
      status = value;
      return true;
    }
  }
  return false;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_RESULTS_RESULT_WORDS_H_
