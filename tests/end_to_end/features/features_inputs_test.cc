// SPDX-License-Identifier: Apache-2.0

// `millrace features` on files whose names mislead, on containers, other codecs, encrypted files
// and pipes.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/made_capture.h>
#include <millrace/tools/video/libav_clips.h>
#include <millrace/tools/video/made_clips.h>

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
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

  using Frames = std::vector<json>;

  // Returns the lines of frames by their stream, without what its name and framing say.
  static std::map<std::string, Frames> frames_by_stream(const Finished& finished) {
    EXPECT_EQ(finished.exit_status, 0) << finished.err << finished.out;
    std::map<std::string, Frames> frames;
    std::istringstream lines(finished.out);
    for (std::string line; std::getline(lines, line);) {
      json frame = json::parse(line);
      EXPECT_FALSE(frame.contains("fault")) << line;
      if (!frame.contains("FrameType")) continue;
      const std::string stream = frame.at("stream");
      for (const char* const key : {"stream", "FrameSize", "bits"}) frame.erase(key);
      frames[stream].push_back(std::move(frame));
    }
    return frames;
  }

  // Returns those of a file of one stream.
  Frames frames_of(const std::string& file) {
    const std::map<std::string, Frames> frames = frames_by_stream(run({"features", file}));
    EXPECT_EQ(frames.size(), 1U) << file;
    return frames.empty() ? Frames() : frames.begin()->second;
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

// Streams of one receiver differ by their SSRC, and those of one SSRC by the receiver's port.
TEST_F(FeaturesInputsTest, CapturesHaveSeveralStreams) {
  put("b.264", tools::h264_bytes({.frames = 4, .key = 2}));
  const std::map<std::string, Frames> expected = {
      {"#10.0.0.1:5004/0x11223344", frames_of("a.264")},
      {"#10.0.0.1:5004/0x00c0ffee", frames_of("b.264")},
      {"#10.0.0.1:5006/0x11223344", frames_of("real.264")}};
  const std::vector<h264::PacketBytes> streams[] = {
      packets_of(bytes("a.264"), 0x11223344, 5004), packets_of(bytes("b.264"), 0xc0ffee, 5004),
      packets_of(bytes("real.264"), 0x11223344, 5006)};
  std::vector<h264::PacketBytes> packets;  // The streams take turns.
  for (std::size_t i = 0; i < 100; ++i) {
    for (const std::vector<h264::PacketBytes>& stream : streams) {
      ASSERT_LT(stream.size(), 100U);
      if (i < stream.size()) packets.push_back(stream[i]);
    }
  }
  put("calls.pcap", pcap_of(packets));
  put("calls.pcapng", pcapng_of(packets));
  for (const std::string capture : {"calls.pcap", "calls.pcapng"}) {
    SCOPED_TRACE(capture);
    std::map<std::string, Frames> frames = frames_by_stream(run({"features", capture}));
    ASSERT_EQ(frames.size(), expected.size());
    for (const auto& [name, of_stream] : expected) {
      EXPECT_EQ(frames[capture + name], of_stream) << name;
      EXPECT_EQ(frames_of(capture + name), of_stream) << name;
    }
  }
}

TEST_F(FeaturesInputsTest, StandardInputHasAStreamOrAList) {
  const Frames expected = frames_of("a.264");
  for (const std::string command : {"$M features - < a.264", "cat a.264 | $M features -"}) {
    SCOPED_TRACE(command);
    const std::map<std::string, Frames> frames = frames_by_stream(run_shell(folder_, command));
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames.at("-"), expected);
  }
  put("list", "a.264\n# b.264\n\nreal.264\n");
  for (const std::string command : {"$M features @- < list", "cat list | $M features @-"}) {
    SCOPED_TRACE(command);
    const std::map<std::string, Frames> frames = frames_by_stream(run_shell(folder_, command));
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames.at("a.264"), expected);
    EXPECT_EQ(frames.at("real.264"), frames_of("real.264"));
  }
  expect_rejected(run({"features", "-", "@-"}), "standard input");
}

// The container that `millrace encode` writes is found whatever its name says, and what is none is
// an error.
TEST_F(FeaturesInputsTest, NamesOfByteStreamsDoNotHideOtherFiles) {
  ASSERT_EQ(run({"decode", "real.264", "-o", "clip.y4m"}).exit_status, 0);
  ASSERT_EQ(run({"encode", "clip.y4m", "-o", "clip.mp4"}).exit_status, 0);
  const Frames expected = frames_of("clip.mp4");
  EXPECT_EQ(expected.size(), 12U);
  fs::rename(path("clip.mp4"), path("clip.264"));
  EXPECT_EQ(frames_of("clip.264"), expected);
  EXPECT_EQ(run({"features", "a.264", "-o", "features.npz"}).exit_status, 0);
  fs::rename(path("features.npz"), path("zip.264"));
  EXPECT_EQ(error_of("zip.264"),
            "is a zip archive (.npz, .zip), not an H.264 stream; give a byte stream or a "
            "container of one");
  put("cut_zip.264", "PK\3\4" + std::string(2000, '\xa7'));
  EXPECT_TRUE(error_of("cut_zip.264").starts_with("is no H.264 stream, capture or video"))
      << error_of("cut_zip.264");
}

TEST_F(FeaturesInputsTest, ContainersHaveTheFramesOfTheirStream) {
  const std::vector<json> expected = frames_of("a.264");
  ASSERT_EQ(expected.size(), 6U);
  for (const std::string kind : {"mp4", "mkv", "avi", "ts"}) {
    SCOPED_TRACE(kind);
    tools::remux_h264(path("a.264"), path("clip." + kind));
    EXPECT_EQ(frames_of("clip." + kind), expected);
    fs::rename(path("clip." + kind), path("clip.264"));
    EXPECT_EQ(frames_of("clip.264"), expected);
  }
}

TEST_F(FeaturesInputsTest, OtherCodecsAreNamed) {
  write_y4m(path("a.y4m"), {});
  const Y4m clip = read_y4m(path("a.y4m"));
  tools::EncodedClip coded = {.width = clip.width, .height = clip.height, .frames = clip.frames};
  tools::write_encoded_clip(path("a.mp4"), coded);
  coded.codec = "mpeg2video";
  tools::write_encoded_clip(path("a.m2v"), coded);
  // RIFF of 16-bit samples: 8,000 a second, of one channel.
  put("a.wav", std::string("RIFF\x24\x40\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0"
                           "\x80\x3e\0\0\2\0\x10\0data\0\x40\0\0",
                           44) +
                   std::string(0x4000, '\1'));
  EXPECT_EQ(error_of("a.mp4"), "has no H.264 stream; its video is mpeg4; convert it to H.264");
  EXPECT_EQ(error_of("a.m2v"), "has no H.264 stream; its video is mpeg2video; convert it to H.264");
  EXPECT_NE(error_of("a.wav").find("not an H.264 stream"), std::string::npos) << error_of("a.wav");
}

TEST_F(FeaturesInputsTest, EncryptedFilesAreNamed) {
  tools::remux_h264(path("real.264"), path("a.mp4"),
                    {{"encryption_scheme", "cenc-aes-ctr"},
                     {"encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"},
                     {"encryption_kid", "a7e61c373e219033c21091fa607bf3b8"}});
  EXPECT_EQ(error_of("a.mp4"), "is encrypted (Common Encryption); decrypt it first");
}

// An MP4 file whose index is at its end, of which a download has only a part, and one of no bytes.
TEST_F(FeaturesInputsTest, CutContainersAreErrorsOfTheirOwn) {
  put("empty.mp4", "");
  EXPECT_EQ(error_of("empty.mp4"), "is empty; give a file that has a video");
  tools::remux_h264(path("real.264"), path("whole.mp4"));
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
