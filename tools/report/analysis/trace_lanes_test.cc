// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/timeline/internal/timeline_json.h>
#include <millrace/tools/report/analysis/trace_lanes.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

const std::string& path() {
  static const std::string path =
      (std::filesystem::path(testing::TempDir()) / "trace.json").string();
  return path;
}

std::string rejection(const std::string& text) {
  std::ofstream(path()) << text;
  try {
    read_trace_lanes(path());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "";
}

TEST(TraceLanes, AreWhatATimelineWrote) {
  using std::chrono::milliseconds;
  const Timeline::Time zero{};
  Timeline timeline;
  timeline.add({"up", "chunk 1", zero, zero + milliseconds(10)});
  timeline.add({"down", "chunk 1", zero + milliseconds(20), zero + milliseconds(40)});
  timeline.add({"up", "chunk 2", zero + milliseconds(30), zero + milliseconds(35)});
  std::ofstream file(path());
  write_chrome_trace(timeline, file);
  file.close();

  const std::vector<ChartLane> lanes = read_trace_lanes(path());
  ASSERT_EQ(lanes.size(), 2U);
  EXPECT_EQ(lanes[0].name, "up");
  ASSERT_EQ(lanes[0].spans.size(), 2U);
  EXPECT_EQ(lanes[0].spans[1].name, "chunk 2");
  EXPECT_NEAR(lanes[0].spans[1].begin, 0.030, 1e-6);
  EXPECT_NEAR(lanes[0].spans[1].end, 0.035, 1e-6);
}

TEST(TraceLanes, RejectWhatIsNone) {
  EXPECT_THAT(rejection("{\"traceEvents\": ["), HasSubstr("trace.json: is cut off at line 1"));
  EXPECT_THAT(rejection("{}"), HasSubstr("trace.json: traceEvents is missing"));
  EXPECT_THAT(rejection(R"({"traceEvents": [{"ph": "X", "tid": 1, "name": "a", "ts": "0"}]})"),
              HasSubstr("traceEvents[0].ts is of type string"));
}

TEST(TraceLanes, OverlapIsWhenTwoAreAtWork) {
  // Lane 1:  ====    ==      Lane 2:    ======      Lane 3: inside lane 2, and a twin of itself.
  const Overlap overlap = overlap_of(
      {{"1", {{"", 0, 4}, {"", 8, 10}}}, {"2", {{"", 2, 9}}}, {"3", {{"", 5, 7}, {"", 5, 6}}}});
  EXPECT_EQ(overlap.whole, 10);
  EXPECT_EQ(overlap.busy, 10);
  EXPECT_EQ(overlap.overlap, 2 + 2 + 1);
  EXPECT_THAT(overlap.of_lanes, testing::ElementsAre(6, 7, 2));
}

TEST(TraceLanes, OverlapKnowsPausesAndNothingAtAll) {
  const Overlap overlap = overlap_of({{"1", {{"", 0, 1}, {"", 3, 4}}}});
  EXPECT_EQ(overlap.whole, 4);
  EXPECT_EQ(overlap.busy, 2);
  EXPECT_EQ(overlap.overlap, 0);
  EXPECT_EQ(overlap_of({}).whole, 0);
}

TEST(TraceLanes, ThatAreTooFineAreJoined) {
  ChartLane lane{"1", {}};
  for (int i = 0; i < 10'000; ++i) lane.spans.push_back({"a", i * 1e-4, i * 1e-4 + 5e-5});
  const std::vector<ChartLane> fine = joined({lane}, 1);
  EXPECT_EQ(fine[0].spans.size(), 1U);
  EXPECT_EQ(fine[0].spans[0].name, "10000 together");
  const std::vector<ChartLane> coarse = joined({{"1", {{"a", 0, 0.4}, {"b", 0.5, 1}}}}, 1);
  EXPECT_EQ(coarse[0].spans.size(), 2U);
}

}  // namespace
}  // namespace millrace::tools
