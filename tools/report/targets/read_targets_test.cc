// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/report/targets/targets.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <string>

namespace millrace::tools {
namespace {

using Json = nlohmann::json;

class ReadTargetsTest : public testing::Test {
 protected:
  const std::string path_ = testing::TempDir() + "/targets.json";

  static Json sample() {
    return Json::parse(R"({
      "format": "millrace-benchmark-targets", "schema": 1,
      "machine": {"label": "lab*", "device": "NVIDIA H200"}, "source": "limits of the card",
      "targets": [
        {"workload": "sort-keys", "input": "uniform", "size": 1000, "device": "cuda:*",
         "policy": "auto", "strategy": "pinned", "figure": "ratio", "to": {"peer": "CUB"},
         "at_least": 1.2},
        {"workload": "codecs", "peer": "zstd", "figure": "value", "value": "bits per item",
         "at_most": -3, "source": "a paper"}]})");
  }

  TargetSet read(const Json& json) const {
    std::ofstream(path_) << json;
    return read_targets(path_);
  }

  void expect_rejected(const std::function<void(Json&)>& change,
                       const std::string& sentence) const {
    Json json = sample();
    change(json);
    try {
      read(json);
      ADD_FAILURE() << "took what is to be rejected with: " << sentence;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_EQ(error.what(), path_ + ": " + sentence);
    }
  }
};

TEST_F(ReadTargetsTest, HasEveryMember) {
  const TargetSet set = read(sample());
  EXPECT_EQ(set.file, path_);
  EXPECT_EQ(set.label, "lab*");
  EXPECT_EQ(set.device, "NVIDIA H200");
  ASSERT_EQ(set.targets.size(), 2U);
  const Target& first = set.targets[0];
  EXPECT_EQ(first.of.workload, "sort-keys");
  EXPECT_EQ(first.of.input, "uniform");
  EXPECT_EQ(first.of.size, 1000U);
  EXPECT_EQ(first.of.device, "cuda:*");
  EXPECT_EQ(first.of.policy, "auto");
  EXPECT_EQ(first.of.strategy, "pinned");
  EXPECT_FALSE(first.of.peer);
  EXPECT_EQ(first.figure, FigureKind::kRatio);
  EXPECT_EQ(first.to.peer, "CUB");
  EXPECT_FALSE(first.to.strategy);
  EXPECT_TRUE(first.is_least);
  EXPECT_EQ(first.bar, 1.2);
  EXPECT_EQ(first.source, "limits of the card");
  const Target& second = set.targets[1];
  EXPECT_EQ(second.of.peer, "zstd");
  EXPECT_EQ(second.figure, FigureKind::kValue);
  EXPECT_EQ(second.value, "bits per item");
  EXPECT_FALSE(second.is_least);
  EXPECT_EQ(second.bar, -3);
  EXPECT_EQ(second.source, "a paper");
}

TEST_F(ReadTargetsTest, RejectsOtherFiles) {
  expect_rejected([](Json& json) { json["format"] = "millrace-benchmark-results"; },
                  "is no file of benchmark targets; such a file has \"format\": "
                  "\"millrace-benchmark-targets\"");
  expect_rejected([](Json& json) { json["schema"] = 2; },
                  "schema is 2; this version of Millrace reads up to 1");
  expect_rejected([](Json& json) { json.erase("targets"); }, "targets is missing; add it");
}

TEST_F(ReadTargetsTest, RejectsMembersThatItDoesNotKnow) {
  expect_rejected([](Json& json) { json["goals"] = 1; },
                  "goals is not a member; members here are format, schema, machine, source, "
                  "targets");
  expect_rejected([](Json& json) { json["machine"]["cpu"] = "x"; },
                  "machine.cpu is not a member; members here are label, device");
  expect_rejected([](Json& json) { json["targets"][1]["polcy"] = "auto"; },
                  "targets[1].polcy is not a member; members here are workload, input, size, "
                  "device, policy, strategy, peer, figure, value, to, at_least, at_most, source");
  expect_rejected([](Json& json) { json["targets"][0]["to"]["figure"] = "rate"; },
                  "targets[0].to.figure is not a member; members here are workload, input, size, "
                  "device, policy, strategy, peer");
}

TEST_F(ReadTargetsTest, SaysWhereAMemberIsWrong) {
  expect_rejected([](Json& json) { json["machine"] = Json::object(); },
                  "machine names none; give it a label, a device or both");
  expect_rejected([](Json& json) { json["targets"][0].erase("workload"); },
                  "targets[0].workload is missing; add it");
  expect_rejected([](Json& json) { json["targets"][0]["size"] = "large"; },
                  "targets[0].size is of type string; a whole number is expected");
  expect_rejected([](Json& json) { json["targets"][0]["figure"] = "speed"; },
                  "targets[0].figure is 'speed'; it is rate, time, limit_fraction, ratio or value");
  expect_rejected([](Json& json) { json["targets"][0].erase("to"); },
                  "targets[0].to is missing; add it");
  expect_rejected([](Json& json) { json["targets"][1]["to"] = Json::object(); },
                  "targets[1].to is given, and the figure is no ratio");
  expect_rejected([](Json& json) { json["targets"][1].erase("value"); },
                  "targets[1].value is missing; add it");
  expect_rejected([](Json& json) { json["targets"][0]["value"] = "x"; },
                  "targets[0].value is given, and the figure is no value; leave it out");
}

TEST_F(ReadTargetsTest, NeedsOneBarThatIsAFigure) {
  expect_rejected([](Json& json) { json["targets"][0]["at_most"] = 2; },
                  "targets[0].at_most is given with at_least; write a target for each");
  expect_rejected([](Json& json) { json["targets"][0].erase("at_least"); },
                  "targets[0].at_least is missing, and so is at_most; give one of them");
  expect_rejected([](Json& json) { json["targets"][0]["at_least"] = "fast"; },
                  "targets[0].at_least is of type string; a number is expected");
  expect_rejected([](Json& json) { json["targets"][0]["at_least"] = 0; },
                  "targets[0].at_least is 0.0; it is a figure from 1e-18 to 1e30");
  expect_rejected([](Json& json) { json["targets"][1]["at_most"] = 1e31; },
                  "targets[1].at_most is 1e+31; it is a figure from -1e30 to 1e30");
}

}  // namespace
}  // namespace millrace::tools
