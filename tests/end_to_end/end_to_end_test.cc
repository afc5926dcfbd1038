// SPDX-License-Identifier: Apache-2.0
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace millrace::end_to_end {

namespace fs = std::filesystem;

void EndToEndTest::SetUp() {
  std::string pattern = testing::TempDir() + "/end_to_end_XXXXXX";
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  folder_ = pattern;
}

void EndToEndTest::TearDown() { fs::remove_all(folder_); }

void EndToEndTest::put(const std::string& name, const std::string& bytes) const {
  std::ofstream(path(name), std::ios::binary) << bytes;
}

std::string EndToEndTest::bytes(const std::string& name) const {
  std::ostringstream bytes;
  bytes << std::ifstream(path(name), std::ios::binary).rdbuf();
  return bytes.str();
}

std::set<std::string> EndToEndTest::names() const {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_)) names.insert(entry.path().filename());
  return names;
}

Finished EndToEndTest::run(const std::vector<std::string>& arguments,
                           const ProcessOptions& options) const {
  return run_millrace(folder_, arguments, options);
}

nlohmann::json EndToEndTest::run_json(const std::string& command,
                                      const std::vector<std::string>& arguments) const {
  std::vector<std::string> all = {command, "--json", "-", "--force"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Finished finished = run(all);
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  const auto json = nlohmann::json::parse(finished.out, nullptr, /*allow_exceptions=*/false);
  EXPECT_TRUE(json.is_object()) << finished.out;
  return json;
}

std::map<std::string, int> EndToEndTest::spans_by_row(const std::string& name) const {
  const auto trace = nlohmann::json::parse(bytes(name));
  std::map<int, std::string> rows;
  std::map<std::string, int> spans;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("name") == "thread_name") rows[event.at("tid")] = event.at("args").at("name");
    if (event.at("ph") == "X") ++spans[rows.at(event.at("tid"))];
  }
  return spans;
}

void expect_rejected(const Finished& finished, const std::string& message) {
  EXPECT_EQ(finished.exit_status, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_TRUE(finished.err.starts_with("millrace: ")) << finished.err;
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
  EXPECT_TRUE(finished.err.ends_with('\n')) << finished.err;
  EXPECT_NE(finished.err.find(message), finished.err.npos) << finished.err;
}

}  // namespace millrace::end_to_end
