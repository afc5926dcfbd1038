// SPDX-License-Identifier: Apache-2.0

// Tests of the spans that queues add to the timeline by themselves.
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/runtime/timeline/internal/queue_span.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/tasks/conformance_tasks.h>

#include <map>
#include <string>
#include <vector>

namespace millrace::conformance {
namespace {

class QueueTimelineTest : public ConformanceTest {
 protected:
  // The spans of what `work` enqueues, by track; it need not wait.
  template <class Work>
  std::map<std::string, std::vector<Timeline::Span>> record(const Work& work) {
    Timeline timeline;
    {
      const Timeline::Recording recording(timeline);
      work();
    }
    queue->wait();
    std::map<std::string, std::vector<Timeline::Span>> tracks;
    for (const Timeline::Span& span : timeline.spans()) tracks[span.track].push_back(span);
    return tracks;
  }

  std::string track(const std::string& stage) const { return device->info().name + " " + stage; }

  // Name of the track that shows copies between the host and the device.
  std::string track_of_copies(const std::string& way) const {
    return track(device->info().shares_host_memory ? "copy" : way);
  }
};

TEST_P(QueueTimelineTest, ShowsCopiesUpAndDown) {
  constexpr std::size_t kBytes = 5000;
  for (const MemorySpace space : {MemorySpace::kHost, MemorySpace::kPinned}) {
    Buffer<char> host(device, space, kBytes);
    Buffer<char> there(device, MemorySpace::kDevice, kBytes);
    auto up = record([&] { copy(*queue, there.span(), host.span()); });
    ASSERT_EQ(up[track_of_copies("upload")].size(), 1u);
    EXPECT_EQ(up[track_of_copies("upload")][0].name, "copy");
    EXPECT_EQ(up[track_of_copies("upload")][0].bytes, kBytes);
    auto down = record([&] { copy(*queue, host.span(), there.span()); });
    ASSERT_EQ(down[track_of_copies("download")].size(), 1u);
    EXPECT_EQ(down[track_of_copies("download")][0].bytes, kBytes);
  }
}

TEST_P(QueueTimelineTest, ShowsTaskRunsByPolicy) {
  DeviceArray<std::uint64_t> sum(*queue, 1);
  auto tracks = record([&] {
    submit_tasks(*queue, TaskList<FanOutTasks>{FanOut{sum.data(), 10}},
                 {.policy = Policy::kUberkernel});
  });
  ASSERT_EQ(tracks[track("compute")].size(), 1u);
  EXPECT_EQ(tracks[track("compute")][0].name, to_string(Policy::kUberkernel));
}

TEST_P(QueueTimelineTest, ShowsOperationsOneAfterAnother) {
  DeviceArray<std::uint64_t> links(*queue, 1);
  auto tracks = record([&] {
    for (int i = 0; i < 5; ++i) {
      submit_tasks(*queue, TaskList<ChainTasks>{SpawnLink{links.data(), 20}}, {});
    }
  });
  const auto& spans = tracks[track("compute")];
  ASSERT_EQ(spans.size(), 5u);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    EXPECT_LE(spans[i].begin, spans[i].end);
    if (i == 0) continue;
    EXPECT_LE(spans[i - 1].end, spans[i].begin);
  }
}

TEST_P(QueueTimelineTest, ShowsNothingToWhomItIsMute) {
  Buffer<char> there(device, MemorySpace::kDevice, 100);
  const auto tracks = record([&] {
    const QueueSpan::Mute mute;
    fill_bytes(*queue, there.span(), std::byte{1});
  });
  EXPECT_TRUE(tracks.empty());
}

TEST_P(QueueTimelineTest, ShowsNothingWhereNothingRecords) {
  Buffer<char> there(device, MemorySpace::kDevice, 100);
  fill_bytes(*queue, there.span(), std::byte{1});
  EXPECT_TRUE(record([] {}).empty());
}

INSTANTIATE_TEST_SUITE_P(Conformance, QueueTimelineTest, testing::ValuesIn(device_names()),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance
