// SPDX-License-Identifier: Apache-2.0

// docs/benchmark_targets.schema.json takes the project's own targets, and rejects what the reader
// rejects.
#include <millrace/tools/report/results/schema_validator.h>
#include <millrace/tools/report/targets/targets.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

// Paths of the project's own targets.
std::vector<std::string> own_targets() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator("tools/benchmarks/targets")) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  }
  return paths;
}

class TargetsSchemaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("docs/benchmark_targets.schema.json") &&
        std::getenv("TEST_SRCDIR") == nullptr) {
      GTEST_SKIP() << "SKIPPED: no schema, outside of Bazel";
    }
    if (validator_.validate(own_targets()) == SchemaValidator::kNoValidator) {
      GTEST_SKIP() << "SKIPPED: no python3-jsonschema";
    }
  }

  const SchemaValidator validator_{"docs/benchmark_targets.schema.json",
                                   testing::TempDir() + "/violations"};
};

TEST(OwnTargets, CanBeRead) {
  if (!std::filesystem::exists("tools/benchmarks/targets")) GTEST_SKIP() << "SKIPPED: no targets";
  EXPECT_GE(own_targets().size(), 3U);
  for (const std::string& path : own_targets()) {
    for (const Target& target : read_targets(path).targets) EXPECT_NE(target.source, "") << path;
  }
}

TEST_F(TargetsSchemaTest, TakesTheProjectsOwn) {
  EXPECT_EQ(validator_.validate(own_targets()), SchemaValidator::kConforms)
      << validator_.violations();
}

Json sample() {
  return Json::parse(R"({
    "format": "millrace-benchmark-targets", "schema": 1, "machine": {"label": "lab"},
    "targets": [{"workload": "sort-keys", "figure": "ratio", "to": {"peer": "CUB"}, "at_least": 1},
                {"workload": "codecs", "figure": "value", "value": "bits", "at_most": -3}]})");
}

TEST_F(TargetsSchemaTest, RejectsWhatTheReaderRejects) {
  const std::vector<std::function<void(Json&)>> changes = {
      [](Json& json) { json.erase("format"); },
      [](Json& json) { json["schema"] = 2; },
      [](Json& json) { json["goals"] = 1; },
      [](Json& json) { json.erase("machine"); },
      [](Json& json) { json["machine"] = Json::object(); },
      [](Json& json) { json["machine"]["cpu"] = "x"; },
      [](Json& json) { json.erase("targets"); },
      [](Json& json) { json["targets"][0].erase("workload"); },
      [](Json& json) { json["targets"][0].erase("figure"); },
      [](Json& json) { json["targets"][0]["figure"] = "speed"; },
      [](Json& json) { json["targets"][0]["size"] = -1; },
      [](Json& json) { json["targets"][0]["polcy"] = "auto"; },
      [](Json& json) { json["targets"][0].erase("to"); },
      [](Json& json) { json["targets"][0]["to"]["figure"] = "rate"; },
      [](Json& json) { json["targets"][1]["to"] = Json::object(); },
      [](Json& json) { json["targets"][1].erase("value"); },
      [](Json& json) { json["targets"][0]["value"] = "bits"; },
      [](Json& json) { json["targets"][0].erase("at_least"); },
      [](Json& json) { json["targets"][0]["at_most"] = 2; },
      [](Json& json) { json["targets"][0]["at_least"] = 0; },
      [](Json& json) { json["targets"][1]["at_most"] = 1e31; },
  };
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Json changed = sample();
    changes[i](changed);
    paths.push_back(testing::TempDir() + "/changed_" + std::to_string(i) + ".json");
    std::ofstream(paths.back()) << changed;
    EXPECT_ANY_THROW(read_targets(paths.back())) << "change " << i;
  }
  EXPECT_EQ(validator_.validate(paths), SchemaValidator::kViolates);
  for (const std::string& path : paths) {
    EXPECT_THAT(validator_.violations(), HasSubstr(path + ": "));
  }
}

TEST_F(TargetsSchemaTest, TakesEveryKindOfTarget) {
  const std::string path = testing::TempDir() + "/sample.json";
  std::ofstream(path) << sample();
  EXPECT_EQ(read_targets(path).targets.size(), 2U);
  EXPECT_EQ(validator_.validate({path}), SchemaValidator::kConforms) << validator_.violations();
}

}  // namespace
}  // namespace millrace::tools
