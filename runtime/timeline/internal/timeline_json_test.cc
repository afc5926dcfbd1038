// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/timeline/internal/timeline_json.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <sstream>
#include <string>
#include <vector>

namespace millrace {
namespace {

using std::chrono::microseconds;

Timeline::Span span(const std::string& track, int begin, int end, std::uint64_t bytes = 0) {
  return {.track = track,
          .name = "chunk",
          .begin = Timeline::Time(microseconds(1000 + begin)),
          .end = Timeline::Time(microseconds(1000 + end)),
          .bytes = bytes};
}

nlohmann::json written(const Timeline& timeline) {
  std::stringstream text;
  write_chrome_trace(timeline, text);
  return nlohmann::json::parse(text.str());
}

// Returns the rows' names from the top down.
std::vector<std::string> rows(const nlohmann::json& trace) {
  std::vector<std::string> names;
  for (const auto& event : trace["traceEvents"]) {
    if (event["name"] != "thread_name") continue;
    EXPECT_EQ(event["tid"], names.size());
    names.push_back(event["args"]["name"]);
  }
  return names;
}

std::vector<nlohmann::json> spans(const nlohmann::json& trace) {
  std::vector<nlohmann::json> result;
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] == "X") result.push_back(event);
  }
  return result;
}

TEST(TimelineJsonTest, IsATraceOfNothing) {
  const nlohmann::json trace = written(Timeline());
  EXPECT_TRUE(trace["traceEvents"].empty());
}

TEST(TimelineJsonTest, GivesTimesFromTheFirstBeginInMicroseconds) {
  Timeline timeline;
  timeline.add(span("upload", 30, 45));
  timeline.add(span("upload", 10, 30));
  const auto events = spans(written(timeline));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0]["ts"], 0);
  EXPECT_EQ(events[0]["dur"], 20);
  EXPECT_EQ(events[1]["ts"], 20);
  EXPECT_EQ(events[1]["dur"], 15);
}

TEST(TimelineJsonTest, HasARowForEachTrackInTheOrderOfTheirBeginnings) {
  Timeline timeline;
  timeline.add(span("upload", 10, 20));
  timeline.add(span("produce", 0, 10));
  timeline.add(span("upload", 20, 30));
  const nlohmann::json trace = written(timeline);
  EXPECT_EQ(rows(trace), (std::vector<std::string>{"produce", "upload"}));
  EXPECT_EQ(spans(trace)[0]["tid"], 0);
  EXPECT_EQ(spans(trace)[1]["tid"], 1);
  EXPECT_EQ(spans(trace)[2]["tid"], 1);
}

TEST(TimelineJsonTest, GivesSpansThatOverlapRowsOfTheirOwn) {
  Timeline timeline;
  timeline.add(span("a", 0, 10));
  timeline.add(span("b", 1, 2));
  timeline.add(span("a", 5, 15));
  timeline.add(span("a", 10, 20));
  const nlohmann::json trace = written(timeline);
  EXPECT_EQ(rows(trace), (std::vector<std::string>{"a", "a", "b"}));
  std::vector<int> rows_of_spans;
  for (const auto& event : spans(trace)) rows_of_spans.push_back(event["tid"]);
  EXPECT_EQ(rows_of_spans, (std::vector<int>{0, 2, 1, 0}));
}

TEST(TimelineJsonTest, SaysHowManyBytesMovedAndHowFast) {
  Timeline timeline;
  timeline.add(span("upload", 0, 10, 50'000));
  timeline.add(span("upload", 10, 10, 50'000));
  timeline.add(span("upload", 20, 30));
  const auto events = spans(written(timeline));
  EXPECT_EQ(events[0]["args"]["bytes"], 50'000);
  EXPECT_DOUBLE_EQ(events[0]["args"]["GB/s"], 5);
  EXPECT_FALSE(events[1]["args"].contains("GB/s"));
  EXPECT_FALSE(events[2].contains("args"));
}

TEST(TimelineJsonTest, TakesNamesOfAnyBytes) {
  Timeline timeline;
  timeline.add(span("a \"quoted\" \\ track\n\xff", 0, 1));
  EXPECT_EQ(rows(written(timeline))[0], "a \"quoted\" \\ track\n\uFFFD");
}

TEST(TimelineJsonTest, SaysWhatWasLeftOut) {
  Timeline timeline(1);
  for (int i = 0; i < 5; ++i) timeline.add(span("a", i, i + 1));
  EXPECT_EQ(written(timeline)["otherData"]["spans left out"], 4);
}

}  // namespace
}  // namespace millrace
