// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/report/results/results.h>
#include <millrace/tools/report/results/sample_results.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

class ResultsTest : public testing::Test {
 protected:
  const std::string path_ = (std::filesystem::path(testing::TempDir()) / "results.json").string();

  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }

  Results read(const std::string& text) const {
    std::ofstream(path_) << text;
    return read_results(path_);
  }

  void expect_rejected(const std::string& text, const std::string& sentence) const {
    try {
      read(text);
      ADD_FAILURE() << "took what is to be rejected with: " << sentence;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_EQ(error.what(), path_ + ": " + sentence);
    }
  }

  Json sample() const {
    write_results(path_, sample_results());
    return Json::parse(text());
  }

  void expect_changed_rejected(const std::function<void(Json&)>& change,
                               const std::string& sentence) const {
    Json json = sample();
    change(json);
    expect_rejected(json.dump(), sentence);
  }
};

TEST_F(ResultsTest, ComeBackAsTheyWereWritten) {
  write_results(path_, sample_results());
  const std::string written = text();
  const Results back = read_results(path_);
  write_results(path_, back);
  EXPECT_EQ(text(), written);
  EXPECT_EQ(back.build.toolkits.at("cuda"), "13.0");
  EXPECT_EQ(back.devices[1].compute_units, 132);
  EXPECT_THAT(back.devices[1].members, testing::IsEmpty());
  EXPECT_THAT(back.devices[2].members, testing::ElementsAre("cuda:0", "tbb"));
  EXPECT_FALSE(back.devices[0].is_tuned);
  EXPECT_TRUE(back.devices[1].is_tuned);
  ASSERT_EQ(back.input_files.size(), 1U);
  EXPECT_EQ(back.input_files[0].bytes, 1'000'000U);
  EXPECT_EQ(back.limits[0].value, 4e12);
  ASSERT_EQ(back.measurements.size(), 2U);
  const Measurement& measured = back.measurements[0];
  EXPECT_THAT(measured.seconds, testing::ElementsAre(0.003, 0.001, 0.002));
  EXPECT_EQ(measured.joules, 1.25);
  EXPECT_EQ(measured.operations, 5e8);
  EXPECT_EQ(measured.operation_limit, "additions");
  EXPECT_EQ(measured.is_checked, true);
  EXPECT_EQ(measured.values.at("bits per item"), 3.5);
  EXPECT_EQ(measured.values.at("change in dB"), -0.25);
  EXPECT_EQ(measured.after.clock_hz, 1.755e9);
  EXPECT_EQ(measured.after.is_throttled, true);
  EXPECT_EQ(back.measurements[1].status, MeasurementStatus::kWrong);
  EXPECT_FALSE(back.measurements[1].joules);
  EXPECT_FALSE(back.measurements[1].is_checked);
  EXPECT_EQ(back.measurements[1].operations, 0);
}

TEST_F(ResultsTest, OfNothingComeBackToo) {
  Results empty;
  write_results(path_, empty);
  EXPECT_TRUE(read_results(path_).measurements.empty());
}

TEST_F(ResultsTest, KeepEveryBitOfANumber) {
  Results results = sample_results();
  results.measurements[0].seconds = {0.1 + 0.2, std::numeric_limits<double>::denorm_min(), 1.0 / 3};
  results.devices[0].memory_bytes = std::numeric_limits<std::uint64_t>::max();
  write_results(path_, results);
  EXPECT_EQ(read_results(path_).measurements[0].seconds, results.measurements[0].seconds);
  EXPECT_EQ(read_results(path_).devices[0].memory_bytes, results.devices[0].memory_bytes);
}

TEST_F(ResultsTest, TakeAFileWithTheLeastMembers) {
  const Results results = read(R"({"format": "millrace-benchmark-results", "schema": 1,
      "machine": {"label": "old"}, "devices": [{"name": "tbb"}],
      "measurements": [{"workload": "sort", "size": 7, "device": "tbb", "status": "ok",
          "seconds": [2], "median_seconds": 2, "low_seconds": 2, "high_seconds": 2}]})");
  EXPECT_EQ(results.machine.label, "old");
  EXPECT_EQ(results.measurements[0].peer, "");
  EXPECT_FALSE(results.measurements[0].before.clock_hz);
}

TEST_F(ResultsTest, LeaveMembersAsideThatTheyDoNotKnow) {
  Json json = sample();
  json["weather"] = "fine";
  json["measurements"][0]["moon"] = Json::array({1, "full"});
  EXPECT_EQ(read(json.dump()).measurements.size(), 2U);
}

TEST_F(ResultsTest, RejectWhatIsCutOffAnywhere) {
  const std::string whole = sample().dump(2);
  for (std::size_t length = 1; length + 1 < whole.size(); length += 7) {
    try {
      read(whole.substr(0, length));
      ADD_FAILURE() << "took the first " << length << " bytes";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(path_ + ": is cut off at line "));
    }
  }
  const std::string advice = "; give a file that `millrace bench -o` wrote";
  expect_rejected("{\n  \"format\": 1,\n", "is cut off at line 3, column 1" + advice);
  expect_rejected("", "is empty" + advice);
}

TEST_F(ResultsTest, RejectWhatIsForeign) {
  const std::string advice = "; give a file that `millrace bench -o` wrote";
  const std::string no_format =
      "is no file of benchmark results; such a file has \"format\": \"millrace-benchmark-results\"";
  expect_rejected("{}", no_format);
  expect_rejected(R"({"format": "of another"})", no_format);
  expect_rejected(R"({"traceEvents": []})", no_format);
  expect_rejected("[1, 2]", "the whole is of type array; an object is expected");
  expect_rejected("{\"a\": 1,\n \"b\": x}", "is not JSON at line 2, column 7" + advice);
  expect_rejected("key,value\n", "is not JSON at line 1, column 1" + advice);
  expect_rejected("\xff\xfe{", "is not JSON at line 1, column 1" + advice);
}

TEST_F(ResultsTest, RejectOtherSchemas) {
  expect_changed_rejected([](Json& json) { json["schema"] = 2; },
                          "schema is 2; this version of Millrace reads up to 1");
  expect_changed_rejected([](Json& json) { json["schema"] = 0; }, "schema is 0; the first is 1");
  expect_changed_rejected([](Json& json) { json.erase("schema"); }, "schema is missing; add it");
}

TEST_F(ResultsTest, SayWhereATypeIsWrong) {
  expect_changed_rejected([](Json& json) { json["measurements"][0]["seconds"][1] = "fast"; },
                          "measurements[0].seconds[1] is of type string; a number is expected");
  expect_changed_rejected([](Json& json) { json["measurements"] = Json::object(); },
                          "measurements is of type object; an array is expected");
  expect_changed_rejected([](Json& json) { json["devices"][1] = 3; },
                          "devices[1] is of type number; an object is expected");
  expect_changed_rejected([](Json& json) { json["machine"]["label"] = nullptr; },
                          "machine.label is null; a string is expected");
  expect_changed_rejected([](Json& json) { json["is_complete"] = 1; },
                          "is_complete is of type number; true or false is expected");
  expect_changed_rejected([](Json& json) { json["measurements"][0]["size"] = -1; },
                          "measurements[0].size is -1; it is a whole number from 0");
  expect_changed_rejected([](Json& json) { json["machine"]["cores"] = 1ULL << 40; },
                          "machine.cores is 1099511627776; give at most 2147483647");
  expect_changed_rejected([](Json& json) { json["build"]["toolkits"]["cuda"] = 13; },
                          "build.toolkits.cuda is of type number; a string is expected");
  expect_changed_rejected([](Json& json) { json["measurements"][0]["after"]["clock_hz"] = "1"; },
                          "measurements[0].after.clock_hz is of type string; a number is expected");
}

TEST_F(ResultsTest, SayWhatMakesNoSense) {
  expect_changed_rejected([](Json& json) { json["measurements"][1].erase("device"); },
                          "measurements[1].device is missing; add it");
  expect_changed_rejected(
      [](Json& json) { json["measurements"][0]["status"] = "fine"; },
      "measurements[0].status is 'fine'; it is ok, wrong, unsupported or failed");
  expect_changed_rejected(
      [](Json& json) { json["measurements"][0]["seconds"] = Json::array(); },
      "measurements[0].seconds has no time, and the status is ok; give the time of each run");
  expect_changed_rejected([](Json& json) { json["measurements"][0]["low_seconds"] = 0; },
                          "measurements[0].low_seconds is 0.0; it must be above 0");
  expect_changed_rejected([](Json& json) { json["measurements"][0]["median_seconds"] = 9; },
                          "measurements[0].median_seconds is 9.0, not between low_seconds (0.001) "
                          "and high_seconds (0.003)");
  expect_changed_rejected(
      [](Json& json) { json["measurements"][0]["limit_fraction"] = -0.5; },
      "measurements[0].limit_fraction is -0.5, which is no figure; figures are 0 "
      "or from 1e-18 to 1e30");
  expect_changed_rejected([](Json& json) { json["measurements"][0]["values"]["x"] = "much"; },
                          "measurements[0].values.x is of type string; a number is expected");
  expect_changed_rejected(
      [](Json& json) { json["measurements"][0]["joules"] = -1; },
      "measurements[0].joules is -1.0, which is no figure; figures are 0 or from 1e-18 to 1e30");
  expect_changed_rejected(
      [](Json& json) { json["measurements"][1]["device"] = "hip:7"; },
      "measurements[1].device is 'hip:7', which is not among the devices; add it there");
  expect_changed_rejected([](Json& json) { json["devices"][2]["members"][1] = "hip:7"; },
                          "devices has the group 'cuda:0,tbb', whose member 'hip:7' is not among "
                          "the devices; add it there");
  expect_changed_rejected([](Json& json) { json["devices"][2]["members"][1] = 7; },
                          "devices[2].members[1] is of type number; a string is expected");
  expect_rejected("{\"a\": 1e999}", "has a number that is too large; the limit is about 1.8e308");
  expect_changed_rejected([](Json& json) { json["limits"][0]["value"] = 0; },
                          "limits[0].value is 0.0; it must be above 0");
}

TEST_F(ResultsTest, RejectNumbersThatAreNoFigures) {
  const auto rejected = [&](const char* member, double number, const std::string& sentence) {
    expect_changed_rejected([&](Json& json) { json["measurements"][0][member] = number; },
                            "measurements[0]." + std::string(member) + " " + sentence);
  };
  const std::string range = ", which is no figure; figures are 0 or from 1e-18 to 1e30";
  rejected("items", 1e308, "is 1e+308" + range);
  rejected("items", 1e-300, "is 1e-300" + range);
  rejected("items", -1, "is -1.0" + range);
  rejected("bytes", 1e31, "is 1e+31" + range);
  rejected("low_seconds", 1e-300, "is 1e-300" + range);
  rejected("high_seconds", 1e300, "is 1e+300" + range);
  rejected("limit_fraction", 1e200, "is 1e+200" + range);
  rejected("joules", 1e-19, "is 1e-19" + range);
  expect_changed_rejected([](Json& json) { json["measurements"][0]["seconds"][1] = -1; },
                          "measurements[0].seconds has -1.0; a time must be from 0 to 1e30");
  expect_changed_rejected([](Json& json) { json["limits"][0]["value"] = 1e300; },
                          "limits[0].value is 1e+300" + range);
  expect_changed_rejected([](Json& json) { json["measurements"][0]["after"]["clock_hz"] = -1; },
                          "measurements[0].after.clock_hz is -1.0" + range);
  expect_changed_rejected(
      [](Json& json) { json["measurements"][0]["after"]["temperature_c"] = -1e300; },
      "measurements[0].after.temperature_c is -1e+300; a temperature must be from -1e30 to 1e30");
}

TEST_F(ResultsTest, RejectTheSameTwice) {
  const auto rejected = [&](const char* array, const std::string& sentence) {
    expect_changed_rejected([&](Json& json) { json[array].push_back(json[array][0]); },
                            std::string(array) + " has " + sentence);
  };
  rejected("devices", "a device twice, at [0] and [3]; leave one out");
  rejected("limits", "a limit twice, at [0] and [1]; leave one out");
  rejected("measurements",
           "one contender on one configuration twice, at [0] and [2]; leave one out");
}

TEST_F(ResultsTest, SayWhenAFileCannotBeRead) {
  const std::pair<std::string, std::string> files[] = {
      {path_ + ".none", "cannot be read: No such file or directory"},
      {testing::TempDir(), "is a directory, not a file; give a file"}};
  for (const auto& [path, reason] : files) {
    try {
      read_results(path);
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kIo);
      EXPECT_EQ(error.what(), std::string(path).append(": ").append(reason));
    }
  }
}

TEST_F(ResultsTest, SayWhatAFileOfAnotherKindIs) {
  std::ofstream(path_, std::ios::binary) << "\x89PNG\r\n\x1a\n";
  try {
    read_results(path_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), path_ + ": is a PNG picture, not JSON");
  }
}

TEST_F(ResultsTest, AreNotWrittenWithNumbersThatJsonCannotSay) {
  write_results(path_, sample_results());
  const std::string before = text();
  Results results = sample_results();
  results.measurements[0].limit_fraction = std::numeric_limits<double>::infinity();
  EXPECT_THROW(write_results(path_, results), Error);
  EXPECT_EQ(text(), before);
}

}  // namespace
}  // namespace millrace::tools
