// SPDX-License-Identifier: Apache-2.0

// Tests of the spans that a pipeline adds to the timeline.
#include <millrace/runtime/stream/pipeline.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/pipeline/pipeline_stages.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace millrace::conformance {
namespace {

using PipelineTimelineTest = ConformanceTest;

std::map<std::string, std::vector<Timeline::Span>> by_track(const Timeline& timeline) {
  std::map<std::string, std::vector<Timeline::Span>> tracks;
  for (const Timeline::Span& span : timeline.spans()) tracks[span.track].push_back(span);
  return tracks;
}

TEST_P(PipelineTimelineTest, HasATrackForEachStage) {
  Timeline timeline;
  {
    const Timeline::Recording recording(timeline);
    Pipeline pipeline(device, {.input_bytes = 1000, .output_bytes = 1000});
    EchoStages echo(10, [](std::uint64_t) { return 1000; });
    pipeline.run(echo.stages());
  }
  const std::string name = device->info().name;
  auto tracks = by_track(timeline);
  EXPECT_EQ(tracks["host produce"].size(), 11u);  // The last finds that there is no more.
  std::vector<std::string> of_each_chunk = {name + " compute", "host consume"};
  if (!device->info().shares_host_memory) {
    of_each_chunk.push_back(name + " upload");
    of_each_chunk.push_back(name + " download");
  }
  for (const std::string& track : of_each_chunk) {
    ASSERT_EQ(tracks[track].size(), 10u) << track;
    EXPECT_EQ(tracks[track][3].name, "chunk 3");
    EXPECT_EQ(tracks[track][3].bytes, 1000u);
  }
  EXPECT_EQ(tracks.size(), 1 + of_each_chunk.size());
}

TEST_P(PipelineTimelineTest, HasSpansOneAfterAnotherOnEachTrack) {
  Timeline timeline;
  {
    const Timeline::Recording recording(timeline);
    Pipeline pipeline(device, {.input_bytes = 1000, .output_bytes = 1000});
    EchoStages echo(50, [](std::uint64_t) { return 1000; });
    pipeline.run(echo.stages());
  }
  for (const auto& [track, spans] : by_track(timeline)) {
    for (std::size_t i = 0; i < spans.size(); ++i) {
      EXPECT_LE(spans[i].begin, spans[i].end) << track;
      if (i == 0) continue;
      EXPECT_LE(spans[i - 1].end, spans[i].begin) << track << ", " << i;
    }
  }
}

TEST_P(PipelineTimelineTest, IsLeftAloneWhereItDoesNotRecord) {
  Timeline timeline;
  { const Timeline::Recording recording(timeline); }
  Pipeline pipeline(device, {.input_bytes = 8, .output_bytes = 8});
  EchoStages echo(3, [](std::uint64_t) { return 8; });
  pipeline.run(echo.stages());
  EXPECT_TRUE(timeline.spans().empty());
}

INSTANTIATE_TEST_SUITE_P(Conformance, PipelineTimelineTest, testing::ValuesIn(device_names()),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance
