// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/stream_jobs.h>
#include <millrace/tools/files/test_folder.h>
#include <millrace/tools/video/made_clips.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

// Drops what streams have.
class NoFeatures final : public FeatureOutput {
 public:
  std::unique_ptr<StreamOutput> begin(const std::string&) override {
    class Stream final : public StreamOutput {
      void add(const FeatureRow&) override {}
      void end(const StreamEnd&) override {}
    };
    return std::make_unique<Stream>();
  }
  void commit() override {}
};

class StreamJobsTest : public TestFolder {
 protected:
  StreamName stream(const std::string& name) const {
    return {put(name, h264_bytes({.frames = 1}))};
  }
  // Returns the name without its folder; "" if there is no stream.
  std::string name_of(const std::unique_ptr<OpenStream>& stream) const {
    return stream == nullptr ? "" : stream->name().substr(path("").size());
  }

  NoFeatures output_;
};

TEST_F(StreamJobsTest, StreamsAreTakenFromBothEnds) {
  StreamJobs jobs({}, output_, {stream("a"), stream("b"), stream("c"), stream("d")});
  EXPECT_EQ(name_of(jobs.next()), "a");
  EXPECT_EQ(name_of(jobs.next(JobsEnd::kLast)), "d");
  EXPECT_EQ(name_of(jobs.next(JobsEnd::kLast)), "c");
  EXPECT_EQ(name_of(jobs.next()), "b");
  EXPECT_EQ(name_of(jobs.next()), "");
  EXPECT_EQ(name_of(jobs.next(JobsEnd::kLast)), "");
}

TEST_F(StreamJobsTest, StreamsMayBeAdded) {
  StreamJobs growing({.may_grow = true}, output_, {});
  EXPECT_TRUE(growing.may_grow());
  EXPECT_EQ(name_of(growing.next()), "");
  growing.add({stream("a")});
  EXPECT_EQ(name_of(growing.next()), "a");
  EXPECT_FALSE(StreamJobs({}, output_, {}).may_grow());
}

TEST_F(StreamJobsTest, ThreadsHaveEqualPortionsOfOpenAndWaitingStreams) {
  StreamJobs jobs({}, output_, {stream("a"), stream("b"), stream("c"), stream("d")});
  EXPECT_EQ(jobs.portion(3), 2U);
  const std::unique_ptr<OpenStream> first = jobs.next();
  const std::unique_ptr<OpenStream> second = jobs.next();
  EXPECT_EQ(jobs.portion(3), 2U);
  jobs.finish(*first, {});
  EXPECT_EQ(jobs.portion(3), 1U);
  EXPECT_EQ(jobs.portion(1), 3U);
}

TEST_F(StreamJobsTest, TotalsHaveWhatDevicesHaveDone) {
  StreamJobs jobs({}, output_, {});
  jobs.add_device({.macroblocks = 10, .bytes_up = 30, .bytes_down = 50});
  jobs.add_device({.macroblocks = 1, .bytes_up = 2, .bytes_down = 3});
  const StreamTotals totals = jobs.end();
  EXPECT_EQ(totals.device_macroblocks, 11);
  EXPECT_EQ(totals.uploaded_bytes, 32);
  EXPECT_EQ(totals.downloaded_bytes, 53);
}

}  // namespace
}  // namespace millrace::tools
