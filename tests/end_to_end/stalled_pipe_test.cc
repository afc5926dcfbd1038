// SPDX-License-Identifier: Apache-2.0

// Clips that come by a pipe whose writer sends some, stays and sends no more: SIGTERM ends the
// command, which completes the whole frames that it has.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tools/video/made_clips.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

// A named pipe with a writer who has written `bytes` and stays. They must fit into the pipe.
class StalledPipe {
 public:
  StalledPipe(const std::string& path, const std::string& bytes) {
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    descriptor_ = open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);  // Waits for no reader.
    EXPECT_EQ(write(descriptor_, bytes.data(), bytes.size()), std::ssize(bytes));
  }
  ~StalledPipe() { close(descriptor_); }
  StalledPipe(const StalledPipe&) = delete;
  StalledPipe& operator=(const StalledPipe&) = delete;

  bool is_drained() const {
    int unread = 0;
    EXPECT_EQ(ioctl(descriptor_, FIONREAD, &unread), 0);
    return unread == 0;
  }

 private:
  int descriptor_ = -1;
};

class StalledPipeTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    write_y4m(path("clip.y4m"), {});
  }

  // The header and the first `frames` frames, which may be no whole number.
  std::string start_of_clip(double frames) const {
    const std::string clip = bytes("clip.y4m");
    const std::size_t header = clip.find('\n') + 1;
    const auto one = static_cast<double>(clip.find('\n', header) + 1 - header + frame_bytes({}));
    return clip.substr(0, header + static_cast<std::size_t>(frames * one));
  }

  // Runs the command on `pipe`, and ends it when it has read what the pipe has.
  Finished run_and_end(const std::vector<std::string>& arguments, const std::string& clip) const {
    const StalledPipe pipe(path("pipe"), clip);
    MillraceProcess process(folder_, arguments);
    process.wait_until([&] { return pipe.is_drained(); });
    process.send_signal(SIGTERM);
    return process.wait();
  }
};

const std::vector<std::string> kIdct = {"idct", "pipe", "--json", "result.json"};
const std::vector<std::string> kMe = {"me",        "pipe",        "--range", "8",
                                      "--device",  "tbb",         "-o",      "vectors.csv",
                                      "--overlay", "vectors.y4m", "--json",  "result.json"};

struct Stall {
  std::string name;
  std::vector<std::string> arguments;
  double sent;  // Frames.
  int written;  // Frames.
  std::string line;
};

std::ostream& operator<<(std::ostream& out, const Stall& stall) { return out << stall.name; }

// The first frame is read before there are files, where a signal ends the command at once. A rest
// of the next frame shows that the command requests it.
const Stall kStalls[] = {
    {"IdctInItsFirstFrame", kIdct, 0.5, 0, "ended by SIGTERM"},
    {"IdctInItsSecondFrame", kIdct, 1.5, 1, "interrupted by SIGTERM; 1 frame complete and written"},
    {"IdctInItsFourthFrame", kIdct, 3.5, 3,
     "interrupted by SIGTERM; 3 frames complete and written"},
    {"IdctBetweenFrames", kIdct, 3, 3, "interrupted by SIGTERM; 3 frames complete and written"},
    {"MeInItsFirstFrame", kMe, 0.5, 0, "ended by SIGTERM"},
    {"MeInItsSecondFrame", kMe, 1.5, 0,
     "interrupted by SIGTERM before the second frame; nothing was written"},
    {"MeInItsFourthFrame", kMe, 3.5, 3, "interrupted by SIGTERM; 3 frames complete and written"},
    {"MeBetweenFrames", kMe, 3, 3, "interrupted by SIGTERM; 3 frames complete and written"},
};

class StallsTest : public StalledPipeTest, public testing::WithParamInterface<Stall> {
 protected:
  std::string pictures_path() const {
    return path(GetParam().arguments == kIdct ? "pipe-idct.y4m" : "vectors.y4m");
  }

  static std::set<std::string> written_names() {
    if (GetParam().written == 0) return {};
    if (GetParam().arguments == kIdct) return {"pipe-idct.csv", "pipe-idct.y4m", "result.json"};
    return {"vectors.csv", "vectors.y4m", "result.json"};
  }

  // Compares with the files for a clip of those whole frames alone.
  std::string whole_pictures() const {
    put("pipe", start_of_clip(GetParam().written));
    std::vector<std::string> arguments = GetParam().arguments;
    arguments.emplace_back("--force");
    EXPECT_EQ(run(arguments).exit_status, 0);
    return bytes(pictures_path());
  }
};

TEST_P(StallsTest, ASignalLeavesTheCompleteFrames) {
  const auto& [name, arguments, sent, written, line] = GetParam();
  std::set<std::string> expected = written_names();
  expected.insert("clip.y4m");
  expected.insert("pipe");
  const Finished finished = run_and_end(arguments, start_of_clip(sent));
  EXPECT_EQ(finished.exit_status, 128 + SIGTERM);
  EXPECT_EQ(finished.err, "millrace: " + line + "\n");
  EXPECT_EQ(names(), expected);
  if (written == 0) return;
  const std::string pictures = bytes(pictures_path());
  EXPECT_EQ(nlohmann::json::parse(bytes("result.json")).at("frames"), written);
  EXPECT_EQ(read_y4m(pictures_path()).frames.size(), static_cast<std::size_t>(written));
  std::filesystem::remove(path("pipe"));
  EXPECT_EQ(pictures, whole_pictures());
}

INSTANTIATE_TEST_SUITE_P(All, StallsTest, testing::ValuesIn(kStalls),
                         [](const auto& info) { return info.param.name; });

// FFmpeg reads ahead, so that the signal may come before the first frame or after it.
TEST_F(StalledPipeTest, AContainerEndsAsWell) {
  const std::string avi = tools::avi_bytes({.frames = 8});
  for (const std::vector<std::string>& arguments : {kIdct, kMe}) {
    const Finished finished = run_and_end(arguments, avi.substr(0, avi.size() / 2));
    EXPECT_EQ(finished.exit_status, 128 + SIGTERM);
    EXPECT_NE(finished.err.find("SIGTERM"), finished.err.npos) << finished.err;
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
    for (const std::string& name : names()) EXPECT_FALSE(name.starts_with(".millrace-")) << name;
    for (const std::string& name : names()) std::filesystem::remove(path(name));
  }
}

// A program that reads features has those of a frame while the stream goes on.
TEST_F(StalledPipeTest, FeaturesOfOneStreamAreWrittenAtOnce) {
  const StalledPipe pipe(path("stream"), tools::h264_bytes({.frames = 6, .key = 3}));
  ProcessOptions options;
  put("lines", "");
  options.out_path = path("lines");
  MillraceProcess process(folder_, {"features", "stream"}, options);
  process.wait_until([&] { return bytes("lines").find('\n') != std::string::npos; });
  EXPECT_TRUE(process.is_running());
  process.send_signal(SIGTERM);
  process.wait();
  EXPECT_EQ(bytes("lines").find("{\"stream\":\"stream\",\"frame\":0,"), 0U) << bytes("lines");
}

}  // namespace
}  // namespace millrace::end_to_end
