// SPDX-License-Identifier: Apache-2.0

// A test with a folder of its own, in which it runs the command.
#ifndef MILLRACE_TESTS_END_TO_END_END_TO_END_TEST_H_
#define MILLRACE_TESTS_END_TO_END_END_TO_END_TEST_H_

#include <millrace/tests/end_to_end/clip_file.h>
#include <millrace/tests/end_to_end/millrace_process.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace millrace::end_to_end {

class EndToEndTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void put(const std::string& name, const std::string& bytes) const;
  std::string bytes(const std::string& name) const;

  // Returns the names of all files in the folder, hidden ones too.
  std::set<std::string> names() const;

  Finished run(const std::vector<std::string>& arguments, const ProcessOptions& options = {}) const;

  // Runs `millrace COMMAND` with `arguments`, --json - and --force; expects success and nothing but
  // JSON on standard output.
  nlohmann::json run_json(const std::string& command,
                          const std::vector<std::string>& arguments) const;
  nlohmann::json run_idct(const std::vector<std::string>& arguments) const {
    return run_json("idct", arguments);
  }

  // Returns the number of spans that a trace has on rows of each name.
  std::map<std::string, int> spans_by_row(const std::string& trace) const;

  std::filesystem::path folder_;
};

// Expects exit status 2, nothing on standard output, and one line on standard error that starts
// with `millrace: ` and holds `message`.
void expect_rejected(const Finished& finished, const std::string& message);

}  // namespace millrace::end_to_end

#endif  // MILLRACE_TESTS_END_TO_END_END_TO_END_TEST_H_
