// That docs/benchmark_results.schema.json takes what is written, and refuses what the reader does.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <millrace/tools/results/results.h>
#include <millrace/tools/results/sample_results.h>

namespace millrace::tools {
namespace {

using Json = nlohmann::json;

constexpr int kMeetsSchema = 0;
constexpr int kViolates = 1;
constexpr int kNoValidator = 3;

class SchemaTest : public testing::Test {
 protected:
  void SetUp() override {
    write_results(path_, sample_results());
    if (validate() == kNoValidator) GTEST_SKIP() << "SKIPPED: no python3-jsonschema";
  }

  int validate() const {
    const std::string command =
        "/usr/bin/python3 tools/results/validate.py docs/benchmark_results.schema.json '" + path_ +
        "'";
    return WEXITSTATUS(std::system(command.c_str()));
  }

  Json sample() const { return Json::parse(std::ifstream(path_)); }

  const std::string path_ = (std::filesystem::path(testing::TempDir()) / "schema.json").string();
};

TEST_F(SchemaTest, TakesWhatIsWritten) { EXPECT_EQ(validate(), kMeetsSchema); }

TEST_F(SchemaTest, TakesAnEmptyRun) {
  Results results;
  results.machine.label = "idle";
  write_results(path_, results);
  EXPECT_EQ(validate(), kMeetsSchema);
}

TEST_F(SchemaTest, RefusesWhatTheReaderRefuses) {
  const std::vector<std::function<void(Json&)>> changes = {
      [](Json& json) { json.erase("format"); },
      [](Json& json) { json["format"] = "of another"; },
      [](Json& json) { json["schema"] = 2; },
      [](Json& json) { json["measurements"][0].erase("seconds"); },
      [](Json& json) { json["measurements"][0]["seconds"][0] = "fast"; },
      [](Json& json) { json["measurements"][0]["seconds"] = Json::array(); },
      [](Json& json) { json["measurements"][0]["low_seconds"] = 0; },
      [](Json& json) { json["measurements"][0]["size"] = -1; },
      [](Json& json) { json["measurements"][0]["status"] = "fine"; },
      [](Json& json) { json["measurements"][1].erase("device"); },
      [](Json& json) { json["measurements"][0]["before"]["is_throttled"] = 1; },
      [](Json& json) { json["limits"][0]["value"] = 0; },
      [](Json& json) { json["limits"][0].erase("unit"); },
      [](Json& json) { json["devices"][0].erase("name"); },
      [](Json& json) { json["machine"].erase("label"); },
      [](Json& json) { json["build"]["toolkits"]["cuda"] = 13; },
  };
  const Json whole = sample();
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Json changed = whole;
    changes[i](changed);
    std::ofstream(path_) << changed;
    EXPECT_EQ(validate(), kViolates) << "change " << i;
    EXPECT_ANY_THROW(read_results(path_)) << "change " << i;
  }
}

}  // namespace
}  // namespace millrace::tools
