// SPDX-License-Identifier: Apache-2.0

// `millrace features --device`: the lines are those that the host's cores give.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/made_capture.h>
#include <millrace/tests/test_data/test_data.h>
#include <millrace/tools/video/made_clips.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

using Strings = std::vector<std::string>;

class FeaturesDeviceTest : public EndToEndTest {
 protected:
  // Lines of standard output, sorted: streams end in any order.
  Strings lines_of(const Strings& arguments, int status = 0) {
    Strings all = {"features"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Finished finished = run(all);
    EXPECT_EQ(finished.exit_status, status) << finished.err;
    Strings lines;
    std::istringstream stream(finished.out);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    std::sort(lines.begin(), lines.end());
    return lines;
  }

  // Compares the lines of devices with those of the host.
  void expect_lines_of_host(const Strings& arguments, int status = 0) {
    const Strings expected = lines_of(arguments, status);
    EXPECT_FALSE(expected.empty());
    for (const char* const device : {"tbb", "simt:0", "simt:1"}) {
      SCOPED_TRACE(device);
      Strings with_device = {"--device", device};
      with_device.insert(with_device.end(), arguments.begin(), arguments.end());
      EXPECT_EQ(lines_of(with_device, status), expected);
    }
  }
};

TEST_F(FeaturesDeviceTest, SoundAndDamagedStreams) {
  put("a.264", tools::h264_bytes({.frames = 6, .key = 3}));
  put("lost.264", tools::h264_bytes({.frames = 8, .key = 6, .lost = {2}}));
  put("text.264", "no stream at all\n");
  put("empty.264", "");
  constexpr int kSomeFailed = 1;
  expect_lines_of_host({"a.264", "lost.264", "text.264", "empty.264"}, kSomeFailed);
  expect_lines_of_host({"--frames", "2", "a.264", "lost.264"});
}

// Features of pictures, which the device reconstructs.
TEST_F(FeaturesDeviceTest, DecodedStreams) {
  put("a.264", tools::h264_bytes({.frames = 6, .key = 3}));
  put("lost.264", tools::h264_bytes({.frames = 8, .key = 6, .lost = {2}}));
  expect_lines_of_host({"--decode", "a.264", "lost.264"});
  expect_lines_of_host({"--decode", "--frames", "2", "a.264", "lost.264"});
  ASSERT_EQ(run({"decode", "a.264", "-o", "a.y4m"}).exit_status, 0);
  expect_lines_of_host({"--reference", "a.y4m", "a.264"});
  expect_lines_of_host({"--reference", "a.y4m", "--frames", "2", "a.264"});
}

TEST_F(FeaturesDeviceTest, ATimelineHasTheStagesOfHostAndDevice) {
  put("a.264", tools::h264_bytes({.frames = 6, .key = 3}));
  lines_of({"a.264", "--decode", "--device", "simt:0", "--trace", "trace.json"});
  const std::string trace = bytes("trace.json");
  for (const char* const row : {"host read", "host write", "simt:0 upload", "wait for parsing",
                                "wait for pictures", "simt:0 download", "host report"}) {
    EXPECT_NE(trace.find(row), trace.npos) << row;
  }
  const Finished same = run({"features", "a.264", "-o", "a.csv", "--trace", "a.csv"});
  EXPECT_EQ(same.exit_status, 2);
  EXPECT_NE(same.err.find("--trace is a.csv, which the run needs"), std::string::npos) << same.err;
}

TEST_F(FeaturesDeviceTest, StreamsOfACapture) {
  put("calls.pcap", pcap_of(packets_of(tools::h264_bytes({.frames = 4}))));
  expect_lines_of_host({"calls.pcap"});
}

TEST_F(FeaturesDeviceTest, MoreStreamsThanAreOpenAtATime) {
  constexpr int kStreams = 900;
  const std::string stream = tools::h264_bytes({.frames = 3, .key = 3});
  std::string names;
  for (int i = 0; i < kStreams; ++i) {
    const std::string name = std::to_string(i) + ".264";
    put(name, stream);
    names += name + "\n";
  }
  put("names", names);
  EXPECT_EQ(lines_of({"--device", "tbb", "@names"}).size(), 4U * kStreams);
}

TEST_F(FeaturesDeviceTest, RealStreams) {
  Strings paths;
  for (const char* const name : {"SVA_BA1_B", "FRExt1_Panasonic", "test_qcif_cabac"}) {
    if (const std::string path = test_data::find(name); !path.empty()) paths.push_back(path);
  }
  if (paths.empty()) GTEST_SKIP() << "SKIPPED: no H.264 streams of test data";
  paths.insert(paths.begin(), {"--frames", "12"});
  expect_lines_of_host(paths);
  paths.insert(paths.begin(), "--decode");
  paths[2] = "4";
  expect_lines_of_host(paths);
}

// There is no GPU in tests, and little to do.
TEST_F(FeaturesDeviceTest, AutoLeavesLittleToTheHost) {
  put("a.264", tools::h264_bytes({.frames = 6, .key = 3}));
  EXPECT_EQ(lines_of({"--device", "auto", "a.264"}), lines_of({"a.264"}));
  const Finished chosen = run({"features", "--device", "auto", "--jobs", "2", "a.264"});
  EXPECT_NE(chosen.err.find("; by 2 threads\n"), chosen.err.npos) << chosen.err;
}

// There are enough bytes for a sample.
TEST_F(FeaturesDeviceTest, AutoReadsStreamsOfAllLengths) {
  const std::string piece = tools::h264_bytes({.frames = 100, .key = 3});
  std::string large;
  while (large.size() < (std::size_t{4} << 20)) large += piece;
  put("small.264", piece);
  put("large.264", large);
  put("text.264", "no stream at all\n");
  constexpr int kSomeFailed = 1;
  const Strings streams = {"--frames", "40", "small.264", "text.264", "large.264"};
  Strings with_auto = {"--device", "auto"};
  with_auto.insert(with_auto.end(), streams.begin(), streams.end());
  EXPECT_EQ(lines_of(with_auto, kSomeFailed), lines_of(streams, kSomeFailed));
}

TEST_F(FeaturesDeviceTest, TheSummaryHasTheBytesOverTheLinkByMacroblock) {
  constexpr int kFrames = 6;
  const std::string stream = tools::h264_bytes({.frames = kFrames, .key = 3});
  put("a.264", stream);
  const std::string text = run({"features", "--device", "simt:0", "a.264"}).err;
  const std::size_t at = text.find("live streams of 25 frames/s; ");
  ASSERT_NE(at, text.npos) << text;
  double uploaded = 0, downloaded = 0;
  ASSERT_EQ(std::sscanf(text.c_str() + at,
                        "live streams of 25 frames/s; %lf bytes uploaded and %lf downloaded a "
                        "macroblock",
                        &uploaded, &downloaded),
            2)
      << text;
  constexpr int kMacroblocks =
      kFrames * ((tools::kMadeH264Width + 15) / 16) * ((tools::kMadeH264Height + 15) / 16);
  // Parameters and tables are uploaded besides the bits of slices.
  EXPECT_GT(uploaded, 0.5 * static_cast<double>(stream.size()) / kMacroblocks);
  EXPECT_GT(downloaded, 0);
  EXPECT_EQ(run({"features", "a.264"}).err.find("uploaded"), text.npos);
}

TEST_F(FeaturesDeviceTest, OptionsThatDoNotGoTogetherAreRejected) {
  put("a.264", tools::h264_bytes({.frames = 1}));
  for (const Strings& options : {Strings{"--macroblocks", "m.npz"},
                                 Strings{"--heat", "QP", "-o", "h.png"}, Strings{"--jobs", "2"}}) {
    SCOPED_TRACE(options[0]);
    Strings arguments = {"features", "--device", "tbb", "a.264"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_rejected(run(arguments), "leave out --device or " + options[0]);
  }
  expect_rejected(run({"features", "--device", "tbbb", "a.264"}), "tbb");
}

}  // namespace
}  // namespace millrace::end_to_end
