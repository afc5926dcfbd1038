// SPDX-License-Identifier: Apache-2.0

// `millrace features --follow`: streams that grow while they are read, on the host's cores and on
// devices.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tools/video/made_clips.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

using Strings = std::vector<std::string>;

class FeaturesFollowTest : public EndToEndTest, public testing::WithParamInterface<std::string> {
 protected:
  void append(const std::string& name, const std::string& bytes) {
    std::ofstream(path(name), std::ios::app | std::ios::binary) << bytes;
  }

  // Lines of a file that has those of frames of a stream.
  int frames_of(const std::string& stream) const {
    int frames = 0;
    std::istringstream lines(bytes("lines"));
    for (std::string line; std::getline(lines, line) && !lines.eof();) {
      frames += line.starts_with("{\"stream\":\"" + stream + "\",\"frame\":") ? 1 : 0;
    }
    return frames;
  }

  void wait_for(const MillraceProcess& process, const std::string& stream, int frames) const {
    process.wait_until([&] { return frames_of(stream) >= frames; });
  }
};

// Each stream grows while the others stay as they are, so that none waits for another.
TEST_P(FeaturesFollowTest, FramesAreWrittenAsStreamsGrow) {
  constexpr int kFrames = 12;
  // A NAL unit ends where the next one begins, and a picture with the one behind it.
  constexpr int kEnded = kFrames - 2;
  const std::string stream = tools::h264_bytes({.frames = kFrames, .key = 3});
  // The first half ends within a picture.
  const std::string halves[] = {stream.substr(0, stream.size() / 2),
                                stream.substr(stream.size() / 2)};
  put("a.264", halves[0]);
  put("b.264", halves[0]);
  put("lines", "");
  Strings arguments = {"features", "--follow", "a.264", "b.264"};
  if (!GetParam().empty()) arguments.insert(arguments.end(), {"--device", GetParam()});
  if (GetParam().empty()) arguments.insert(arguments.end(), {"--jobs", "2"});
  ProcessOptions options;
  options.out_path = path("lines");
  MillraceProcess process(folder_, arguments, options);
  wait_for(process, "a.264", 1);
  wait_for(process, "b.264", 1);
  EXPECT_LT(frames_of("b.264"), kEnded);
  append("b.264", halves[1]);
  wait_for(process, "b.264", kEnded);
  EXPECT_LT(frames_of("a.264"), kEnded);
  append("a.264", halves[1]);
  wait_for(process, "a.264", kEnded);
  EXPECT_TRUE(process.is_running());  // The signal ends the streams.
  process.send_signal(SIGTERM);
  EXPECT_EQ(process.wait().exit_status, 128 + SIGTERM);
  EXPECT_EQ(frames_of("a.264"), kFrames);
  EXPECT_EQ(frames_of("b.264"), kFrames);
}

// A stream that appears is read beside the others, and one whose file is removed ends.
TEST_P(FeaturesFollowTest, StreamsOfAFolderComeAndGo) {
  constexpr int kFrames = 6;
  constexpr int kEnded = kFrames - 2;
  const std::string stream = tools::h264_bytes({.frames = kFrames, .key = 3});
  std::filesystem::create_directory(path("live"));
  put("live/a.264", stream);
  put("lines", "");
  Strings arguments = {"features", "--follow", "live"};
  if (!GetParam().empty()) arguments.insert(arguments.end(), {"--device", GetParam()});
  ProcessOptions options;
  options.out_path = path("lines");
  MillraceProcess process(folder_, arguments, options);
  wait_for(process, "live/a.264", kEnded);
  put("live/b.264", stream);
  wait_for(process, "live/b.264", kEnded);
  std::filesystem::remove(path("live/a.264"));
  wait_for(process, "live/a.264", kFrames);
  EXPECT_LT(frames_of("live/b.264"), kFrames);
  put("live/c.264", stream);
  wait_for(process, "live/c.264", kEnded);
  EXPECT_TRUE(process.is_running());
  process.send_signal(SIGTERM);
  EXPECT_EQ(process.wait().exit_status, 128 + SIGTERM);
  EXPECT_EQ(frames_of("live/b.264"), kFrames);
  EXPECT_EQ(frames_of("live/c.264"), kFrames);
}

// Without a device there are fewer threads than streams.
TEST_F(FeaturesFollowTest, NoStreamWaitsForAnotherToEnd) {
  constexpr int kFrames = 6;
  const std::string stream = tools::h264_bytes({.frames = kFrames, .key = 3});
  Strings arguments = {"features", "--follow", "--jobs", "1"};
  for (const std::string name : {"a.264", "b.264", "c.264"}) {
    put(name, stream);
    arguments.push_back(name);
  }
  put("lines", "");
  ProcessOptions options;
  options.out_path = path("lines");
  MillraceProcess process(folder_, arguments, options);
  for (const std::string name : {"a.264", "b.264", "c.264"}) wait_for(process, name, kFrames - 2);
  process.send_signal(SIGTERM);
  EXPECT_EQ(process.wait().exit_status, 128 + SIGTERM);
}

INSTANTIATE_TEST_SUITE_P(Devices, FeaturesFollowTest, testing::Values("", "tbb", "simt:0"),
                         [](const auto& info) {
                           std::string name = info.param.empty() ? "host" : info.param;
                           std::erase(name, ':');
                           return name;
                         });

}  // namespace
}  // namespace millrace::end_to_end
