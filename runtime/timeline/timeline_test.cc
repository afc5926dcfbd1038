// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/timeline/internal/timeline_ranges.h>
#include <millrace/runtime/timeline/timeline.h>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace millrace {
namespace {

using std::chrono::microseconds;

Timeline::Span span(int begin, int end) {
  return {.track = "mill",
          .name = "grind",
          .begin = Timeline::Time(microseconds(begin)),
          .end = Timeline::Time(microseconds(end))};
}

TEST(TimelineTest, KeepsSpansInTheOrderInWhichTheyWereAdded) {
  Timeline timeline;
  timeline.add(span(5, 6));
  timeline.add(span(1, 2));
  const auto spans = timeline.spans();
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0].begin, Timeline::Time(microseconds(5)));
  EXPECT_EQ(spans[1].begin, Timeline::Time(microseconds(1)));
  EXPECT_EQ(timeline.left_out(), 0u);
}

TEST(TimelineTest, LetsNoSpanEndBeforeItBegins) {
  Timeline timeline;
  timeline.add(span(5, 4));
  EXPECT_EQ(timeline.spans()[0].end, Timeline::Time(microseconds(5)));
}

TEST(TimelineTest, CountsSpansBeyondItsCapacity) {
  Timeline timeline(3);
  for (int i = 0; i < 10; ++i) timeline.add(span(i, i + 1));
  EXPECT_EQ(timeline.spans().size(), 3u);
  EXPECT_EQ(timeline.left_out(), 7u);
}

TEST(TimelineTest, TakesSpansFromAnyThread) {
  Timeline timeline;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&timeline] {
        for (int k = 0; k < 1000; ++k) timeline.add(span(k, k));
      });
    }
  }
  EXPECT_EQ(timeline.spans().size(), 4000u);
}

TEST(TimelineTest, IsTheCurrentOneWhileItRecords) {
  EXPECT_EQ(Timeline::current(), nullptr);
  Timeline timeline;
  {
    const Timeline::Recording recording(timeline);
    EXPECT_EQ(Timeline::current(), &timeline);
  }
  EXPECT_EQ(Timeline::current(), nullptr);
}

TEST(TimelineTest, RejectsASecondRecording) {
  Timeline timeline;
  const Timeline::Recording recording(timeline);
  EXPECT_THROW(Timeline::Recording second(timeline), Error);
  EXPECT_EQ(Timeline::current(), &timeline);
}

TEST(TimelineScopeTest, AddsItsLife) {
  Timeline timeline;
  const Timeline::Recording recording(timeline);
  const auto before = std::chrono::steady_clock::now();
  { const TimelineScope scope("host parse", "frame", 42); }
  const auto after = std::chrono::steady_clock::now();
  const auto spans = timeline.spans();
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].track, "host parse");
  EXPECT_EQ(spans[0].name, "frame");
  EXPECT_EQ(spans[0].bytes, 42u);
  EXPECT_LE(before, spans[0].begin);
  EXPECT_LE(spans[0].begin, spans[0].end);
  EXPECT_LE(spans[0].end, after);
}

// Records the ranges that a profiler receives.
class NotedRanges final : public TimelineRanges {
 public:
  void open(const char* name) noexcept override { notes += std::string("(") + name; }
  void close() noexcept override { notes += ")"; }

  std::string notes;
};

NotedRanges noted;
const RegisterTimelineRanges registered(noted);

TEST(TimelineScopeTest, IsARangeOfProfilersEvenWhereNothingRecords) {
  noted.notes.clear();
  {
    const TimelineScope outer("host", "parse");
    const TimelineRange inner("sort");
  }
  EXPECT_EQ(noted.notes, "(parse(sort))");
}

}  // namespace
}  // namespace millrace
