// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/report/analysis/curve.h>
#include <millrace/tools/report/analysis/made_up_results.h>
#include <millrace/tools/report/analysis/merged_results.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace millrace::tools {
namespace {

std::string path_of(const std::string& name) {
  return (std::filesystem::path(testing::TempDir()) / name).string();
}

std::string written(const std::string& name, const Results& results) {
  write_results(path_of(name), results);
  return path_of(name);
}

TEST(MergedResults, DistinguishMachinesOfOneLabel) {
  const Results results = made_up_results("lab");
  const MergedResults merged = merge_results(
      {written("a.json", results), written("b.json", results), written("c.json", results)});
  ASSERT_EQ(merged.machines.size(), 3U);
  EXPECT_EQ(merged.machines[0].label, "lab");
  EXPECT_EQ(merged.machines[1].label, "lab (2)");
  EXPECT_EQ(merged.machines[2].label, "lab (3)");
  EXPECT_EQ(name_of(merged, {1, "tbb"}), "tbb (lab (2))");
}

TEST(MergedResults, RejectAFileThatIsGivenTwice) {
  const std::string path = written("a.json", made_up_results("lab"));
  try {
    merge_results({path, testing::TempDir() + "/./a.json"});
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(error.what(), testing::EndsWith("a.json: is given twice; leave one out"));
  }
}

// One file has no more than what every version of the schema has, another what a later version of
// Millrace may add.
TEST(MergedResults, TakeFilesWithFewerAndMoreMembers) {
  const std::string old = path_of("old.json");
  std::ofstream(old) << R"({"format": "millrace-benchmark-results", "schema": 1,
      "machine": {"label": "old"}, "devices": [{"name": "tbb"}],
      "measurements": [{"workload": "tree", "size": 7, "device": "tbb", "status": "ok",
          "seconds": [2], "median_seconds": 2, "low_seconds": 2, "high_seconds": 2}]})";
  const std::string later = path_of("later.json");
  std::ofstream(later) << R"({"format": "millrace-benchmark-results", "schema": 1,
      "machine": {"label": "later", "phase_of_moon": 3}, "devices": [{"name": "tbb", "npu": true}],
      "measurements": [{"workload": "tree", "size": 7, "device": "tbb", "status": "ok", "votes": [1],
          "seconds": [1], "median_seconds": 1, "low_seconds": 1, "high_seconds": 1, "items": 7}]})";
  const MergedResults merged =
      merge_results({old, later, written("now.json", made_up_results("now"))});
  const std::vector<Group> groups = groups_of(merged);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].entries.size(), 2 + made_up_results("now").measurements.size());
  EXPECT_EQ(rate_of(*groups[0].entries[0].measurement).value, 0.5);  // Runs a second.
  EXPECT_EQ(rate_of(*groups[0].entries[1].measurement).value, 7);
}

TEST(MergedResults, RejectAFileOfALaterSchemaAmongOthers) {
  const std::string now = written("now.json", made_up_results("now"));
  std::ostringstream text;
  text << std::ifstream(now).rdbuf();
  std::string later_text = text.str();
  const std::string schema = "\"schema\": " + std::to_string(kResultsSchema);
  ASSERT_NE(later_text.find(schema), std::string::npos);
  later_text.replace(later_text.find(schema), schema.size(),
                     "\"schema\": " + std::to_string(kResultsSchema + 1));
  std::ofstream(path_of("later.json")) << later_text;
  try {
    merge_results({now, path_of("later.json")});
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_EQ(error.what(),
              path_of("later.json") + ": schema is " + std::to_string(kResultsSchema + 1) +
                  "; this version of Millrace reads up to " + std::to_string(kResultsSchema));
  }
}

TEST(MergedResults, AreGroupedByWorkloadAndInput) {
  Results first = made_up_machine("one");
  for (const char* const workload : {"sort", "tree", "sort"}) {
    first.measurements.push_back(made_up(workload, "tbb", "", 1, 1));
  }
  first.measurements[2].input = "zipf";
  Results second = made_up_machine("two");
  second.measurements = {made_up("tree", "tbb", "", 1, 1), made_up("sort", "tbb", "", 1, 1)};
  const MergedResults all = merged({first, second});
  const std::vector<Group> groups = groups_of(all);
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].name(), "sort");
  EXPECT_EQ(groups[1].name(), "sort, zipf");
  EXPECT_EQ(groups[2].name(), "tree");
  EXPECT_EQ(groups[0].entries.size(), 2U);
  EXPECT_EQ(groups[2].entries[1].platform.machine, 1U);
}

TEST(MergedResults, NameContenders) {
  Measurement m;
  EXPECT_EQ(contender_of(m), "Millrace");
  m.policy = "persistent";
  EXPECT_EQ(contender_of(m), "persistent");
  m.strategy = "shared";
  EXPECT_EQ(contender_of(m), "persistent, shared");
  m = {};
  m.peer = "CUB";
  EXPECT_EQ(contender_of(m), "CUB");
}

TEST(Curve, BestIsTheFastestAtEachSizeWithoutPeers) {
  Results results = made_up_results("lab");
  Measurement peer = made_up("tree", "tbb", "", 10, 0.01);
  peer.peer = "another";
  results.measurements.push_back(peer);
  const MergedResults all = merged({results});
  const Group group = groups_of(all).front();
  const std::vector<Curve> curves = curves_of(group, {0, "tbb"});
  ASSERT_EQ(curves.size(), 3U);
  const Curve best = best_of(curves);
  ASSERT_EQ(best.points.size(), 2U);
  EXPECT_EQ(best.points[0]->policy, "persistent");
  EXPECT_EQ(best.points[1]->policy, "uberkernel");
  EXPECT_EQ(best_peer_of(curves).points.front()->peer, "another");
  EXPECT_EQ(platforms_of(group).size(), 2U);
}

TEST(Curve, LeavesOutWhatHasNoTime) {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("tree", "tbb", "", 1, 1), made_up("tree", "tbb", "", 2, 1)};
  results.measurements[0].status = MeasurementStatus::kWrong;
  const MergedResults all = merged({results});
  const std::vector<Curve> curves = curves_of(groups_of(all).front(), {0, "tbb"});
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_EQ(curves[0].points.size(), 1U);
}

}  // namespace
}  // namespace millrace::tools
