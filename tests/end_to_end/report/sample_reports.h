// SPDX-License-Identifier: Apache-2.0

// Measured benchmark results for tests of reports; tests/test_data names the machines.
#ifndef MILLRACE_TESTS_END_TO_END_REPORT_SAMPLE_REPORTS_H_
#define MILLRACE_TESTS_END_TO_END_REPORT_SAMPLE_REPORTS_H_

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace millrace::end_to_end {

inline constexpr const char* kSampleFolder = "tests/test_data/results";

// Returns false if the test runs without Bazel, and so without the repository's files.
inline bool are_sample_results_there() {
  return std::getenv("TEST_SRCDIR") != nullptr || std::filesystem::exists(kSampleFolder);
}

// Copies the results, with their timelines, into a folder. Returns the names of the results files.
inline std::vector<std::string> put_sample_results(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kSampleFolder)) {
    const std::string name = entry.path().filename().string();
    std::filesystem::copy_file(entry.path(), folder / name);
    if (name.ends_with(".results.json")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace millrace::end_to_end

#endif  // MILLRACE_TESTS_END_TO_END_REPORT_SAMPLE_REPORTS_H_
