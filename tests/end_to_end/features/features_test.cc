// SPDX-License-Identifier: Apache-2.0

// `millrace features` on streams that are made here, and on real ones where they are.
#include <millrace/algorithms/h264/rtp/made_packets.h>
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/made_capture.h>
#include <millrace/tests/test_data/test_data.h>
#include <millrace/tools/video/made_clips.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace millrace::end_to_end {
namespace {

using nlohmann::json;

constexpr int kMacroblocks = tools::kMadeH264Width / 16 * (tools::kMadeH264Height / 16);

class FeaturesTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    put("a.264", tools::h264_bytes({.frames = 6, .key = 3}));
  }

  // Lines of standard output.
  std::vector<json> lines_of(const std::vector<std::string>& arguments, int status = 0) {
    std::vector<std::string> all = {"features"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Finished finished = run(all);
    EXPECT_EQ(finished.exit_status, status) << finished.err;
    return parsed(finished.out);
  }

  static std::vector<json> parsed(const std::string& text) {
    std::vector<json> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
    return lines;
  }
};

// Key pictures are of PCM, others are skipped.
TEST_F(FeaturesTest, FramesAreMeasured) {
  const std::vector<json> lines = lines_of({"a.264"});
  ASSERT_EQ(lines.size(), 7U);
  std::size_t bytes_of_frames = 0;
  for (int i = 0; i < 6; ++i) {
    const json& line = lines[static_cast<std::size_t>(i)];
    const bool is_key = i % 3 == 0;
    EXPECT_EQ(line.at("stream"), "a.264");
    EXPECT_EQ(line.at("frame"), i);
    EXPECT_EQ(line.at("width"), tools::kMadeH264Width);
    EXPECT_EQ(line.at("height"), tools::kMadeH264Height);
    EXPECT_EQ(line.at("FrameType"), is_key ? 1 : 2);
    EXPECT_EQ(line.at("IsIDR"), is_key ? 1 : 0);
    EXPECT_EQ(line.at("macroblocks"), kMacroblocks);
    EXPECT_EQ(line.at("types").at(is_key ? "PCM" : "Pskip"), kMacroblocks);
    EXPECT_EQ(line.at("Av_Motion"), 0);
    EXPECT_EQ(line.at("references"), is_key ? 0 : 4 * kMacroblocks);
    EXPECT_EQ(line.at("lost_macroblocks"), 0);
    std::int64_t bits = 0;
    for (const auto& [name, count] : line.at("bits").items()) bits += count.get<std::int64_t>();
    EXPECT_EQ(bits, 8 * line.at("FrameSize").get<std::int64_t>());
    bytes_of_frames += line.at("FrameSize").get<std::size_t>();
  }
  EXPECT_EQ(bytes_of_frames, bytes("a.264").size());
  EXPECT_EQ(lines[6].at("end"), true);
  EXPECT_EQ(lines[6].at("frames"), 6);
  EXPECT_EQ(lines[6].at("faults"), 0);
}

// Picture 2 of 8 is lost, and picture 6 is the next key picture. All macroblocks of other pictures
// are skipped: they refer to the picture before.
TEST_F(FeaturesTest, ALossIsFollowedToTheNextKeyPicture) {
  put("lost.264", tools::h264_bytes({.frames = 8, .key = 6, .lost = {2}}));
  const std::vector<json> lines = lines_of({"lost.264"});
  std::vector<double> concealed, damaged;
  for (const json& line : lines) {
    if (!line.contains("FrameType")) continue;
    concealed.push_back(line.at("refers_to_concealed"));
    damaged.push_back(line.at("refers_to_damaged"));
  }
  EXPECT_EQ(concealed, (std::vector<double>{0, 0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(damaged, (std::vector<double>{0, 0, 1, 1, 1, 0, 0}));
}

TEST_F(FeaturesTest, TheSummarySaysFaults) {
  put("lost.264", tools::h264_bytes({.frames = 8, .key = 6, .lost = {2}}));
  const Finished lossy = run({"features", "lost.264", "-o", "lost.csv"});
  EXPECT_NE((lossy.out + lossy.err).find("1 stream, 7 frames, 1 fault in "), std::string::npos)
      << lossy.out << lossy.err;
  const Finished sound = run({"features", "a.264", "-o", "a.csv"});
  EXPECT_NE((sound.out + sound.err).find("1 stream, 6 frames in "), std::string::npos)
      << sound.out << sound.err;
}

TEST_F(FeaturesTest, StreamsThatFailAreLinesOfTheirOwn) {
  put("empty.264", "");
  put("text.264", "This is not a stream.\nNor is this.\n");
  put("random.264", std::string("\x8f\x13\x77\xfe", 4) + std::string(5000, '\xa7'));
  const std::vector<json> lines =
      lines_of({"empty.264", "text.264", "random.264", "missing.264", "a.264", "--jobs", "1"}, 1);
  // Lines of faults may come before a stream's error.
  std::vector<json> errors, frames;
  for (const json& line : lines) {
    if (line.contains("error")) errors.push_back(line);
    if (line.contains("FrameType")) frames.push_back(line);
  }
  ASSERT_EQ(errors.size(), 4U);
  EXPECT_EQ(errors[0].at("error"), "is empty; give a file that has a video");
  EXPECT_EQ(frames.size(), 6U);
  EXPECT_EQ(lines.back().at("end"), true);
  lines_of({"empty.264"}, 2);
}

TEST_F(FeaturesTest, FoldersListsAndPipesAreRead) {
  std::filesystem::create_directory(path("in"));
  put("in/b.264", bytes("a.264"));
  put("in/notes.txt", "These are two\nlines of text.\n");
  put("list", "in/b.264\n# a comment\n");
  EXPECT_EQ(lines_of({"in", "@list"}).size(), 14U);
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread writer([this] { std::ofstream(path("pipe"), std::ios::binary) << bytes("a.264"); });
  EXPECT_EQ(lines_of({"pipe"}).size(), 7U);
  writer.join();
}

TEST_F(FeaturesTest, ACaptureHasTheFeaturesOfItsStreams) {
  std::vector<h264::PacketBytes> packets = packets_of(bytes("a.264"));
  std::swap(packets[3], packets[4]);
  put("a.pcap", pcap_of(packets));
  std::vector<json> expected = lines_of({"a.264"});
  std::vector<json> lines = lines_of({"a.pcap"});
  EXPECT_EQ(lines_of({"a.pcap#10.0.0.1:5004/0x11223344"}), lines);
  ASSERT_EQ(lines.size(), expected.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].at("stream"), "a.pcap#10.0.0.1:5004/0x11223344");
    for (const char* key : {"stream", "FrameSize", "bits"}) {  // Start codes of 4 bytes each.
      lines[i].erase(key);
      expected[i].erase(key);
    }
    EXPECT_EQ(lines[i], expected[i]);
  }
}

TEST_F(FeaturesTest, ResumeGoesOnWhereARunEnded) {
  put("b.264", bytes("a.264"));
  EXPECT_EQ(run({"features", "a.264", "-o", "out.ldjson", "--resume"}).exit_status, 0);
  const std::string first = bytes("out.ldjson");
  put("out.ldjson", first + "{\"stream\":\"b.264\",\"frame\":0}\n");
  EXPECT_EQ(run({"features", "a.264", "b.264", "-o", "out.ldjson", "--resume"}).exit_status, 0);
  EXPECT_TRUE(bytes("out.ldjson").starts_with(first));
  EXPECT_EQ(parsed(bytes("out.ldjson")).size(), 14U);
}

// A run is ended while it waits for the rest of its second stream, of three frames of six.
TEST_F(FeaturesTest, ResumeCompletesWhatAnInterruptedOrKilledRunWrote) {
  const std::string stream = bytes("a.264");
  put("c.264", stream);
  for (const int signal : {SIGTERM, SIGKILL}) {
    SCOPED_TRACE(testing::Message() << "signal " << signal);
    const std::vector<std::string> arguments = {"features", "a.264",    "b.264",  "c.264", "-o",
                                                "out",      "--resume", "--jobs", "1"};
    ASSERT_EQ(mkfifo(path("b.264").c_str(), 0600), 0);
    const int pipe = open(path("b.264").c_str(), O_RDWR);  // Does not wait for a reader.
    ASSERT_GE(pipe, 0);
    const auto half = static_cast<ssize_t>(stream.size() / 2);
    ASSERT_EQ(write(pipe, stream.data(), stream.size() / 2), half);
    MillraceProcess process(folder_, arguments);
    process.wait_until([&] {
      int left = 0;
      return ioctl(pipe, FIONREAD, &left) == 0 && left == 0;
    });
    EXPECT_TRUE(process.is_running());
    process.send_signal(signal);
    EXPECT_EQ(process.wait().exit_status, 128 + signal);
    close(pipe);  // The stream had no end.
    std::set<std::string> ended;
    for (const json& line : parsed(bytes("out"))) {
      if (line.contains("end")) ended.insert(line.at("stream"));
    }
    EXPECT_EQ(ended, std::set<std::string>{"a.264"});
    std::filesystem::remove(path("b.264"));
    put("b.264", stream);
    const Finished resumed = run(arguments);
    EXPECT_EQ(resumed.exit_status, 0) << resumed.err;
    EXPECT_NE((resumed.out + resumed.err).find("1 were done before"), std::string::npos);
    EXPECT_EQ(run({"features", "a.264", "b.264", "c.264", "-o", "whole", "--jobs", "1", "--force"})
                  .exit_status,
              0);
    EXPECT_EQ(bytes("out"), bytes("whole"));
    EXPECT_EQ(parsed(bytes("whole")).size(), 21U);
    std::filesystem::remove(path("out"));
    std::filesystem::remove(path("b.264"));
  }
}

TEST_F(FeaturesTest, OtherFormatsAreWritten) {
  EXPECT_EQ(run({"features", "a.264", "-o", "a.csv", "--macroblocks", "m.npz"}).exit_status, 0);
  EXPECT_EQ(run({"features", "a.264", "-o", "a.npz"}).exit_status, 0);
  EXPECT_EQ(run({"features", "a.264", "--format", "p1204", "-o", "tmp"}).exit_status, 0);
  EXPECT_EQ(run({"features", "a.264", "-o", "a.svg"}).exit_status, 0);
  EXPECT_EQ(run({"features", "a.264", "--heat", "type", "-o", "t.y4m"}).exit_status, 0);
  EXPECT_EQ(run({"features", "a.264", "--heat", "QP", "-o", "q.png"}).exit_status, 0);
  const std::string csv = bytes("a.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7);
  EXPECT_TRUE(bytes("a.npz").starts_with("PK\3\4"));
  EXPECT_TRUE(bytes("m.npz").starts_with("PK\3\4"));
  EXPECT_TRUE(bytes("tmp/a.json.bz2").starts_with("BZh"));
  EXPECT_TRUE(bytes("a.svg").starts_with("<svg "));
  EXPECT_NE(bytes("a.svg").find("Bits of a.264"), std::string::npos);
  EXPECT_EQ(read_y4m(path("t.y4m")).frames.size(), 6U);
  EXPECT_TRUE(bytes("q.png").starts_with("\x89PNG"));
}

TEST_F(FeaturesTest, OptionsThatDoNotGoTogetherAreRejected) {
  expect_rejected(run({"features", "a.264", "--format", "npz"}), "needs -o FILE.npz");
  expect_rejected(run({"features", "a.264", "--format", "xml"}), "--format is 'xml'");
  expect_rejected(run({"features", "a.264", "--resume"}), "--resume needs -o FILE");
  expect_rejected(run({"features", "a.264", "--heat", "QP"}), "--heat needs -o");
  expect_rejected(run({"features", "a.264", "--heat", "QP", "-o", "a.jpg"}),
                  "ends in .y4m or .png");
}

TEST_F(FeaturesTest, AMapIsOfOneStream) {
  put("b.264", bytes("a.264"));
  expect_rejected(run({"features", "a.264", "b.264", "-o", "a.csv", "--macroblocks", "m.npz"}),
                  "maps are of one");
  expect_rejected(run({"features", "a.264", "b.264", "-o", "a.svg"}), "a plot is of one");
}

// The picture of docs/guide/h264.md.
TEST_F(FeaturesTest, TheGuideHasThePlotThatTheCommandDraws) {
  std::filesystem::copy_file(
      std::filesystem::absolute("tests/test_data/streams/testsrc2_64x64.264"),
      path("testsrc2_64x64.264"));
  EXPECT_EQ(run({"features", "testsrc2_64x64.264", "-o", "plot.svg"}).exit_status, 0);
  std::ifstream file("docs/guide/h264-bits-and-qp.svg", std::ios::binary);
  const std::string stored{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(bytes("plot.svg") == stored)
      << "make it again: millrace features tests/test_data/streams/testsrc2_64x64.264 -o "
         "docs/guide/h264-bits-and-qp.svg --force";
}

// Real streams beside the checkout: every one but those with losses has no fault.
TEST_F(FeaturesTest, RealStreamsHaveFaultsWhereTheyAreLossy) {
  const std::string stream = test_data::find("BA1_Sony_D");
  if (stream.empty()) GTEST_SKIP() << "no H.264 streams: see tests/test_data";
  std::set<std::string> faulty;
  for (const json& line : lines_of({std::filesystem::path(stream).parent_path().string()})) {
    EXPECT_FALSE(line.contains("error")) << line;
    if (!line.contains("fault")) continue;
    faulty.insert(std::filesystem::path(line.at("stream").get<std::string>()).filename().string());
  }
  const std::set<std::string> lossy = {"BA_MW_D_IDR_LOST.264", "BA_MW_D_P_LOST.264",
                                       "Error_I_P.264"};
  EXPECT_EQ(faulty, lossy);
}

}  // namespace
}  // namespace millrace::end_to_end
