// SPDX-License-Identifier: Apache-2.0

// docs/benchmark_results.schema.json takes what is written, and rejects what the reader rejects.
#include <millrace/tools/report/results/results.h>
#include <millrace/tools/report/results/sample_results.h>
#include <millrace/tools/report/results/schema_validator.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

constexpr int kConforms = SchemaValidator::kConforms;
constexpr int kViolates = SchemaValidator::kViolates;
constexpr int kNoValidator = SchemaValidator::kNoValidator;

class SchemaTest : public testing::Test {
 protected:
  void SetUp() override {
    const bool is_schema_there = std::filesystem::exists("docs/benchmark_results.schema.json");
    if (!is_schema_there && std::getenv("TEST_SRCDIR") == nullptr) {
      GTEST_SKIP() << "SKIPPED: no schema, outside of Bazel";
    }
    write_results(path_, sample_results());
    if (validate() == kNoValidator) GTEST_SKIP() << "SKIPPED: no python3-jsonschema";
  }

  int validate(const std::vector<std::string>& paths) const { return validator_.validate(paths); }
  int validate() const { return validate({path_}); }
  std::string violations() const { return validator_.violations(); }

  Json sample() const { return Json::parse(std::ifstream(path_)); }

  const SchemaValidator validator_{"docs/benchmark_results.schema.json",
                                   testing::TempDir() + "/violations"};
  const std::string path_ = (std::filesystem::path(testing::TempDir()) / "schema.json").string();
};

TEST_F(SchemaTest, TakesWhatIsWritten) { EXPECT_EQ(validate(), kConforms); }

TEST_F(SchemaTest, TakesAnEmptyRun) {
  Results results;
  results.machine.label = "idle";
  write_results(path_, results);
  EXPECT_EQ(validate(), kConforms);
}

TEST_F(SchemaTest, RejectsWhatTheReaderRejects) {
  const std::vector<std::function<void(Json&)>> changes = {
      [](Json& json) { json.erase("format"); },
      [](Json& json) { json["format"] = "of another"; },
      [](Json& json) { json["schema"] = 2; },
      [](Json& json) { json["measurements"][0].erase("seconds"); },
      [](Json& json) { json["measurements"][0]["seconds"][0] = "fast"; },
      [](Json& json) { json["measurements"][0]["seconds"] = Json::array(); },
      [](Json& json) { json["measurements"][0]["low_seconds"] = 0; },
      [](Json& json) { json["measurements"][0]["size"] = -1; },
      [](Json& json) { json["measurements"][0]["joules"] = -1; },
      [](Json& json) { json["measurements"][0]["status"] = "fine"; },
      [](Json& json) { json["measurements"][1].erase("device"); },
      [](Json& json) { json["measurements"][0]["before"]["is_throttled"] = 1; },
      [](Json& json) { json["limits"][0]["value"] = 0; },
      [](Json& json) { json["limits"][0].erase("unit"); },
      [](Json& json) { json["devices"][0].erase("name"); },
      [](Json& json) { json["devices"][2]["members"][0] = 0; },
      [](Json& json) { json["machine"].erase("label"); },
      [](Json& json) { json["build"]["toolkits"]["cuda"] = 13; },
      [](Json& json) { json["measurements"][0]["items"] = 1e308; },
      [](Json& json) { json["measurements"][0]["bytes"] = 1e-300; },
      [](Json& json) { json["measurements"][0]["low_seconds"] = 1e-300; },
      [](Json& json) { json["measurements"][0]["high_seconds"] = 1e300; },
      [](Json& json) { json["measurements"][0]["seconds"][0] = -1; },
      [](Json& json) { json["measurements"][0]["limit_fraction"] = 1e200; },
      [](Json& json) { json["measurements"][0]["after"]["clock_hz"] = 1e300; },
      [](Json& json) { json["measurements"][0]["after"]["temperature_c"] = 1e300; },
      [](Json& json) { json["limits"][0]["value"] = 1e300; },
  };
  const Json whole = sample();
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Json changed = whole;
    changes[i](changed);
    paths.push_back(testing::TempDir() + "/changed_" + std::to_string(i) + ".json");
    std::ofstream(paths.back()) << changed;
    EXPECT_ANY_THROW(read_results(paths.back())) << "change " << i;
  }
  EXPECT_EQ(validate(paths), kViolates);
  for (const std::string& path : paths) EXPECT_THAT(violations(), HasSubstr(path + ": "));
}

}  // namespace
}  // namespace millrace::tools
