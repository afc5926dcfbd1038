// SPDX-License-Identifier: Apache-2.0

// Streams that devices and threads share: each has the features that one thread gives.
#include <millrace/algorithms/h264/stream/decoded_frame.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/device.h>
#include <millrace/tools/command/features/read_streams.h>
#include <millrace/tools/files/test_folder.h>
#include <millrace/tools/video/made_clips.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

// Keeps a text of all that each stream was given.
class Texts final : public FeatureOutput {
 public:
  std::unique_ptr<StreamOutput> begin(const std::string& stream) override {
    const std::lock_guard lock(mutex_);
    return std::make_unique<Stream>(texts[stream]);
  }
  void commit() override {}

  std::map<std::string, std::string> texts;

 private:
  class Stream final : public StreamOutput {
   public:
    explicit Stream(std::string& text) : text_(text) {}
    void add(const FeatureRow& row) override {
      text_ += std::to_string(row.frame) + ":" + std::to_string(row.features.bytes) + "/" +
               std::to_string(row.features.mean_qp) + " ";
    }
    std::string add_frame(const h264::DecodedFrame& frame) override {
      text_ += "frame " + std::to_string(frame.width(0)) + " " +
               std::to_string(frame.first_sample(0)[0]) + " ";
      ++frames_;
      return frames_ == kMostFrames ? "is too long" : "";
    }
    void end(const StreamEnd& end) override {
      text_ += "end " + std::to_string(end.frames) + " " + end.error;
    }

   private:
    static constexpr int kMostFrames = 9;

    std::string& text_;
    int frames_ = 0;
  };

  std::mutex mutex_;
};

// Returns all devices but GPUs, which tests do not have: simulated ones, and the CPU's.
std::vector<std::shared_ptr<Device>> all_devices() {
  std::vector<std::shared_ptr<Device>> devices;
  for (const DeviceInfo& device : list_devices()) {
    if (device.is_simulated || device.warp_width == 1) devices.push_back(open_device(device.name));
  }
  return devices;
}

class ReadStreamsTest : public TestFolder {
 protected:
  void SetUp() override {
    TestFolder::SetUp();
    for (int i = 0; i < 12; ++i) {
      const std::string bytes = h264_bytes({.frames = 1 + i, .key = 3});
      bytes_ += bytes.size();
      names_.push_back({put(std::to_string(i) + ".264", bytes)});
    }
  }

  std::map<std::string, std::string> texts_of(StreamPoolOptions options) const {
    Texts output;
    const StreamPoolReport report = read_streams(options, names_, output);
    if (!options.run.gives_frames) {
      EXPECT_EQ(report.totals.bytes, static_cast<std::int64_t>(bytes_));
    }
    EXPECT_EQ(report.devices.size(), options.devices.size());
    return output.texts;
  }

  std::vector<StreamName> names_;
  std::size_t bytes_ = 0;
};

TEST_F(ReadStreamsTest, DevicesAndThreadsShareTheStreams) {
  const auto expected = texts_of({});
  EXPECT_EQ(expected.size(), names_.size());
  EXPECT_EQ(texts_of({.threads = 2, .devices = {all_devices().front()}}), expected);
  EXPECT_EQ(texts_of({.threads = 0, .devices = all_devices()}), expected);
}

// An output that takes no more frames of a stream ends that stream alone.
TEST_F(ReadStreamsTest, FramesAreGivenInOutputOrderUntilTheOutputTakesNoMore) {
  StreamPoolOptions options;
  options.run.decodes = true;
  options.run.gives_frames = true;
  const auto expected = texts_of(options);
  EXPECT_TRUE(expected.at(path("7.264")).ends_with("end 8 ")) << expected.at(path("7.264"));
  EXPECT_TRUE(expected.at(path("9.264")).ends_with("end 8 is too long"));
  options.threads = 0;
  options.devices = all_devices();
  const auto on_devices = texts_of(options);
  for (const StreamName& name : names_) {
    // A device parses ahead of the frame that is not taken.
    if (expected.at(name.path).ends_with("is too long")) {
      EXPECT_TRUE(on_devices.at(name.path).ends_with("end 8 is too long"));
    } else {
      EXPECT_EQ(on_devices.at(name.path), expected.at(name.path));
    }
  }
}

TEST_F(ReadStreamsTest, TheDevicesReportWhatTheyHaveRead) {
  Texts output;
  const StreamPoolReport report =
      read_streams({.threads = 0, .devices = {all_devices().front()}}, names_, output);
  ASSERT_EQ(report.devices.size(), 1U);
  EXPECT_EQ(report.devices[0].bytes, static_cast<std::int64_t>(bytes_));
  EXPECT_GT(report.devices[0].seconds, 0);
  // Pictures are of 64x48 samples.
  EXPECT_EQ(report.totals.device_macroblocks, 78 * 12);
  EXPECT_GT(report.totals.uploaded_bytes, 0);
  EXPECT_GT(report.totals.downloaded_bytes, 0);
}

}  // namespace
}  // namespace millrace::tools
