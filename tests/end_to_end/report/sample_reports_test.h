// SPDX-License-Identifier: Apache-2.0

// Measured benchmark results for tests of reports; tests/test_data names the machines.
#ifndef MILLRACE_TESTS_END_TO_END_REPORT_SAMPLE_REPORTS_TEST_H_
#define MILLRACE_TESTS_END_TO_END_REPORT_SAMPLE_REPORTS_TEST_H_

#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
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

// Runs `report` in a folder that has the results.
class SampleReportsTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    if (!are_sample_results_there()) GTEST_SKIP() << "SKIPPED: no sample results";
    samples_ = put_sample_results(folder_);
    ASSERT_GE(samples_.size(), 2U);
    before_ = names();
  }

  Finished report(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "report");
    return run(arguments);
  }

  void expect_nothing_made(const std::vector<std::string>& arguments,
                           const std::string& message) const {
    expect_rejected(report(arguments), message);
    EXPECT_EQ(names(), before_) << message;
  }

  std::vector<std::string> samples_;  // Names of the results files.
  std::set<std::string> before_;      // Names of all files before the test made some.
};

}  // namespace millrace::end_to_end

#endif  // MILLRACE_TESTS_END_TO_END_REPORT_SAMPLE_REPORTS_TEST_H_
