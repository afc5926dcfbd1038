// SPDX-License-Identifier: Apache-2.0

// `millrace features` on files whose names mislead, on containers, other codecs, encrypted files
// and pipes.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/made_capture.h>
#include <millrace/tools/video/made_clips.h>

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class FeaturesInputsTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    put("a.264", tools::h264_bytes({.frames = 6, .key = 3}));
    fs::copy_file(fs::absolute("tests/test_data/streams/testsrc2_64x64.264"), path("real.264"));
  }

  // Returns the lines of a file's frames without what its name and framing say.
  std::vector<json> frames_of(const std::string& file) {
    const Finished finished = run({"features", file});
    EXPECT_EQ(finished.exit_status, 0) << finished.err << finished.out;
    std::vector<json> frames;
    std::istringstream lines(finished.out);
    for (std::string line; std::getline(lines, line);) {
      json frame = json::parse(line);
      EXPECT_FALSE(frame.contains("fault")) << line;
      if (!frame.contains("FrameType")) continue;
      for (const char* const key : {"stream", "FrameSize", "bits"}) frame.erase(key);
      frames.push_back(std::move(frame));
    }
    return frames;
  }

  // Returns the error of a run of one stream, which has no frame.
  std::string error_of(const std::string& file) {
    const Finished finished = run({"features", file});
    EXPECT_EQ(finished.exit_status, 2) << finished.out;
    std::istringstream lines(finished.out);
    for (std::string line; std::getline(lines, line);) {
      const json parsed = json::parse(line);
      EXPECT_EQ(parsed.at("stream"), file);
      if (parsed.contains("error")) return parsed.at("error");
    }
    return "no error";
  }
};

TEST_F(FeaturesInputsTest, NamesSayNothing) {
  const std::vector<json> expected = frames_of("a.264");
  ASSERT_EQ(expected.size(), 6U);
  for (const char* const name : {"stream.mp4", "stream.pcap", "stream.txt", "stream"}) {
    put(name, bytes("a.264"));
    EXPECT_EQ(frames_of(name), expected) << name;
  }
  put("capture.264", pcap_of(packets_of(bytes("a.264"))));
  EXPECT_EQ(frames_of("capture.264"), expected);
}

TEST_F(FeaturesInputsTest, ContainersHaveTheFramesOfTheirStream) {
  const std::vector<json> expected = frames_of("a.264");
  ASSERT_EQ(expected.size(), 6U);
  for (const std::string kind : {"mp4", "mkv", "avi", "ts"}) {
    SCOPED_TRACE(kind);
    if (!run_ffmpeg(folder_, "-f h264 -i a.264 -c copy clip." + kind)) {
      GTEST_SKIP() << "SKIPPED: no ffmpeg";
    }
    EXPECT_EQ(frames_of("clip." + kind), expected);
    fs::rename(path("clip." + kind), path("clip.264"));
    EXPECT_EQ(frames_of("clip.264"), expected);
  }
}

TEST_F(FeaturesInputsTest, OtherCodecsAreNamed) {
  const std::string source = "-f lavfi -i testsrc=size=64x64:rate=5:duration=1 -c:v ";
  if (!run_ffmpeg(folder_, source + "mpeg4 a.mp4") ||
      !run_ffmpeg(folder_, source + "mpeg2video -f mpeg2video a.m2v") ||
      !run_ffmpeg(folder_, "-f lavfi -i sine=duration=1 -c:a pcm_s16le a.wav")) {
    GTEST_SKIP() << "SKIPPED: no ffmpeg";
  }
  EXPECT_EQ(error_of("a.mp4"), "has no H.264 stream; its video is mpeg4; convert it to H.264");
  EXPECT_EQ(error_of("a.m2v"), "has no H.264 stream; its video is mpeg2video; convert it to H.264");
  EXPECT_NE(error_of("a.wav").find("not an H.264 stream"), std::string::npos) << error_of("a.wav");
}

TEST_F(FeaturesInputsTest, EncryptedFilesAreNamed) {
  if (!run_ffmpeg(folder_,
                  "-f h264 -i real.264 -c copy -encryption_scheme cenc-aes-ctr -encryption_key "
                  "76a6c65c5ea762046bd749a2e632ccbb -encryption_kid "
                  "a7e61c373e219033c21091fa607bf3b8 a.mp4")) {
    GTEST_SKIP() << "SKIPPED: no ffmpeg";
  }
  EXPECT_EQ(error_of("a.mp4"), "is encrypted (Common Encryption); decrypt it first");
}

// An MP4 file whose index is at its end, of which a download has only a part, and one of no bytes.
TEST_F(FeaturesInputsTest, CutContainersAreErrorsOfTheirOwn) {
  put("empty.mp4", "");
  EXPECT_EQ(error_of("empty.mp4"), "is empty; give a file that has a video");
  if (!run_ffmpeg(folder_, "-f h264 -i real.264 -c copy whole.mp4")) {
    GTEST_SKIP() << "SKIPPED: no ffmpeg";
  }
  const std::string whole = bytes("whole.mp4");
  for (std::size_t size = 1; size < whole.size() / 2; size += whole.size() / 16) {
    SCOPED_TRACE(size);
    put("cut.mp4", whole.substr(0, size));
    const Finished finished = run({"features", "cut.mp4"});
    EXPECT_LE(finished.exit_status, 2) << finished.err;
    EXPECT_NE(finished.out.find("\"error\":"), std::string::npos) << finished.out;
  }
}

// The command measures a pipe's frames before the pipe ends, so the first line does not wait for
// the last byte.
TEST_F(FeaturesInputsTest, LinesOfAPipeComeBeforeItsEnd) {
  // Each of its six key pictures has more bytes than the kind of a stream is recognized by.
  const std::string stream = tools::h264_bytes({.frames = 12, .key = 2});
  ASSERT_GT(stream.size() / 6, 4096U);
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  put("lines", "");
  ProcessOptions options;
  options.out_path = path("lines");
  MillraceProcess process(folder_, {"features", "pipe"}, options);
  {
    std::ofstream pipe(path("pipe"), std::ios::binary);
    pipe << stream.substr(0, stream.size() / 2) << std::flush;
    process.wait_until([&] { return bytes("lines").find("\"frame\":0") != std::string::npos; });
    EXPECT_TRUE(process.is_running());
    EXPECT_EQ(bytes("lines").find("\"frame\":11"), std::string::npos);
    pipe << stream.substr(stream.size() / 2);
  }
  EXPECT_EQ(process.wait().exit_status, 0);
  EXPECT_NE(bytes("lines").find("\"frame\":11"), std::string::npos);
}

}  // namespace
}  // namespace millrace::end_to_end
