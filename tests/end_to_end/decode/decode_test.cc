// SPDX-License-Identifier: Apache-2.0
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/made_capture.h>
#include <millrace/tests/test_data/test_data.h>
#include <millrace/tools/video/libav_clips.h>
#include <millrace/tools/video/made_clips.h>

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

class DecodeTest : public EndToEndTest {};

// 12 frames of 64x64, with P and B pictures.
TEST_F(DecodeTest, WritesThePicturesThatLibavcodecDecodes) {
  fs::copy_file(fs::absolute("tests/test_data/streams/testsrc2_64x64.264"), path("in.264"));
  const auto json = run_json("decode", {"in.264", "-o", "out.y4m"});
  EXPECT_EQ(json.at("frames"), 12);
  EXPECT_EQ(json.at("concealed_macroblocks"), 0);
  const Y4m out = read_y4m(path("out.y4m"));
  EXPECT_EQ(out.frames.size(), 12U);
  EXPECT_TRUE(out.frames == tools::libav_pictures(path("in.264")));
}

TEST_F(DecodeTest, WritesThePicturesOfARealStream) {
  const std::string stream = test_data::find("test_qcif_cabac");
  if (stream.empty()) GTEST_SKIP() << "SKIPPED: no test_qcif_cabac.264";
  fs::create_symlink(stream, path("in.264"));
  const auto json = run_json("decode", {"in.264", "-o", "out.y4m"});
  EXPECT_EQ(json.at("frames"), 30);
  EXPECT_EQ(json.at("width"), 176);
  EXPECT_EQ(json.at("height"), 144);
  EXPECT_EQ(json.at("concealed_macroblocks"), 0);
  EXPECT_EQ(json.at("faults"), 0);
  const Y4m out = read_y4m(path("out.y4m"));
  EXPECT_EQ(out.frames.size(), 30U);
  EXPECT_TRUE(out.frames == tools::libav_pictures(path("in.264")));
}

TEST_F(DecodeTest, SaysWhichPicturesAreMissing) {
  const std::string lossy = test_data::find("BA_MW_D_P_LOST");
  const std::string late = test_data::find("BA_MW_D_IDR_LOST");
  if (lossy.empty() || late.empty()) GTEST_SKIP() << "SKIPPED: no BA_MW_D_P_LOST.264";
  // One of 100 pictures: frame_num goes from 0 to 2.
  const Finished lost = run({"decode", lossy, "-o", "lossy.y4m", "--json", "lossy.json"});
  EXPECT_EQ(lost.exit_status, 0);
  EXPECT_NE(lost.out.find(", 99 frames\nlost: 1 picture as a whole, not written; 0 macroblocks"),
            std::string::npos)
      << lost.out;
  EXPECT_EQ(nlohmann::json::parse(bytes("lossy.json")).at("lost_pictures"), 1);
  EXPECT_EQ(nlohmann::json::parse(bytes("lossy.json")).at("dropped_pictures"), 0);
  // Each 30th picture is an IDR picture; the first three of 100 are not there.
  const Finished dropped = run({"decode", late, "-o", "late.y4m", "--json", "late.json"});
  EXPECT_NE(dropped.out.find(", 70 frames\ndropped: 27 pictures before one"), std::string::npos)
      << dropped.out;
  EXPECT_EQ(nlohmann::json::parse(bytes("late.json")).at("lost_pictures"), 0);
  EXPECT_EQ(nlohmann::json::parse(bytes("late.json")).at("dropped_pictures"), 27);
}

TEST_F(DecodeTest, RejectsAChangeOfSizeAndSaysWhereItIs) {
  const std::string stream = test_data::find("Error_I_P");
  if (stream.empty()) GTEST_SKIP() << "SKIPPED: no Error_I_P.264";
  const Finished all = run({"decode", stream, "-o", "out.y4m"});
  EXPECT_EQ(all.exit_status, 2);
  EXPECT_NE(all.err.find("frame 2 is 640x480, the frames before it 352x288; a y4m file has one "
                         "size: stop before it by --frames 2\n"),
            std::string::npos)
      << all.err;
  EXPECT_FALSE(names().contains("out.y4m"));
  EXPECT_EQ(run_json("decode", {stream, "-o", "out.y4m", "--frames", "2"}).at("frames"), 2);
}

TEST_F(DecodeTest, ADeviceGivesTheSamePictures) {
  const std::string stream = test_data::find("test_qcif_cabac");
  if (stream.empty()) GTEST_SKIP() << "SKIPPED: no test_qcif_cabac.264";
  fs::create_symlink(stream, path("in.264"));
  run_json("decode", {"in.264", "-o", "one.y4m", "--frames", "4"});
  run_json("decode", {"in.264", "-o", "device.y4m", "--frames", "4", "--device", "tbb"});
  EXPECT_GT(bytes("one.y4m").size(), 4u * 176 * 144 * 3 / 2);
  EXPECT_TRUE(bytes("one.y4m") == bytes("device.y4m"));
}

TEST_F(DecodeTest, RejectsFilesThatAreNoStream) {
  put("notes.264", "These are no NAL units.\nNor are these.\n");
  expect_rejected(run({"decode", "notes.264", "-o", "out.y4m"}), "not an H.264 stream");
  put("empty.264", "");
  expect_rejected(run({"decode", "empty.264", "-o", "out.y4m"}), "is empty");
  put("end.264", std::string("\0\0\1\x0a", 4));
  expect_rejected(run({"decode", "end.264", "-o", "out.y4m"}), "no picture that can be decoded");
  expect_rejected(run({"decode", "missing.264", "-o", "out.y4m"}), "missing.264");
  EXPECT_FALSE(names().contains("out.y4m"));
}

TEST_F(DecodeTest, ReadsAPipe) {
  put("in.264", tools::h264_bytes({.frames = 6, .key = 3}));
  run_json("decode", {"in.264", "-o", "file.y4m"});
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread writer([this] { std::ofstream(path("pipe"), std::ios::binary) << bytes("in.264"); });
  EXPECT_EQ(run_json("decode", {"pipe", "-o", "pipe.y4m"}).at("frames"), 6);
  writer.join();
  EXPECT_TRUE(bytes("file.y4m") == bytes("pipe.y4m"));
}

// Real streams beside the checkout are read, too.
TEST_F(DecodeTest, ContainersHaveThePicturesOfTheirStream) {
  const std::string stored = fs::absolute("tests/test_data/streams/testsrc2_64x64.264");
  for (const std::string name :
       {"stored", "test_qcif_cabac", "MPS_MW_A", "CVFC1_Sony_C", "MR1_BT_A"}) {
    SCOPED_TRACE(name);
    const std::string stream = name == "stored" ? stored : test_data::find(name);
    if (stream.empty()) continue;
    fs::create_symlink(stream, path(name));
    const int frames = run_json("decode", {name, "-o", name + ".y4m"}).at("frames");
    for (const std::string kind : {"mp4", "mkv", "avi", "ts"}) {
      SCOPED_TRACE(kind);
      const std::string file = name + "." + kind;
      tools::remux_h264(path(name), path(file));
      const auto json = run_json("decode", {file, "-o", "out.y4m"});
      EXPECT_EQ(json.at("frames"), frames);
      EXPECT_EQ(json.at("faults"), 0);
      EXPECT_EQ(json.at("notes"), "");
      EXPECT_TRUE(bytes("out.y4m") == bytes(name + ".y4m"));
    }
  }
}

TEST_F(DecodeTest, ACaptureHasThePicturesOfItsStream) {
  put("in.264", tools::h264_bytes({.frames = 6, .key = 3}));
  run_json("decode", {"in.264", "-o", "stream.y4m"});
  std::vector<h264::PacketBytes> packets = packets_of(bytes("in.264"));
  put("in.pcap", pcap_of(packets));
  EXPECT_EQ(run_json("decode", {"in.pcap", "-o", "capture.y4m"}).at("lost_packets"), 0);
  EXPECT_TRUE(bytes("stream.y4m") == bytes("capture.y4m"));
  // The last picture that is no key picture: the one before conceals it, and is equal to it.
  packets.erase(packets.end() - 2);
  put("lossy.pcap", pcap_of(packets));
  const auto json = run_json("decode", {"lossy.pcap", "-o", "lossy.y4m"});
  EXPECT_EQ(json.at("lost_packets"), 1);
  EXPECT_EQ(json.at("notes"), "1 RTP packets are lost");
}

TEST_F(DecodeTest, AStreamOfACaptureIsNamed) {
  put("in.264", tools::h264_bytes({.frames = 6, .key = 3}));
  put("short.264", tools::h264_bytes({.frames = 2}));
  std::vector<h264::PacketBytes> packets = packets_of(bytes("in.264"), 0x11223344);
  const std::vector<h264::PacketBytes> others = packets_of(bytes("short.264"), 5);
  packets.insert(packets.begin() + 2, others.begin(), others.end());
  put("in.pcap", pcap_of(packets));
  expect_rejected(run({"decode", "in.pcap", "-o", "out.y4m"}),
                  "is a capture of 2 streams; write one of them: "
                  "in.pcap#10.0.0.1:5004/0x11223344, in.pcap#10.0.0.1:5004/0x00000005");
  expect_rejected(run({"decode", "in.pcap#10.0.0.1:5004/0x6", "-o", "out.y4m"}),
                  "in.pcap: has no stream '10.0.0.1:5004/0x6'; write in.pcap#10.0.0.1");
  expect_rejected(run({"decode", "in.264#1", "-o", "out.y4m"}), "write in.264");
  const std::string one = "in.pcap#10.0.0.1:5004/0x00000005";
  expect_rejected(run({"decode", one, "-o", "in.pcap", "--force"}), "in.pcap");
  EXPECT_EQ(run_json("decode", {one, "-o", "out.y4m"}).at("frames"), 2);
  EXPECT_EQ(run_json("decode", {"in.pcap#10.0.0.1:5004/0x11223344", "-o", "out.y4m"}).at("frames"),
            6);
  // A file of that name comes first.
  put("a#1", bytes("short.264"));
  EXPECT_EQ(run_json("decode", {"a#1", "-o", "out.y4m"}).at("frames"), 2);
}

// A capture of two streams, one that is damaged, and one that a container has.
TEST_F(DecodeTest, AGroupOfDevicesGivesThePicturesOfEachStreamAlone) {
  put("a.264", tools::h264_bytes({.frames = 6, .key = 3}));
  put("lost.264", tools::h264_bytes({.frames = 8, .key = 6, .lost = {2}}));
  fs::copy_file(fs::absolute("tests/test_data/streams/testsrc2_64x64.264"), path("b.264"));
  tools::remux_h264(path("b.264"), path("c.mp4"));
  std::vector<h264::PacketBytes> packets = packets_of(bytes("a.264"), 1);
  const std::vector<h264::PacketBytes> others = packets_of(bytes("b.264"), 2);
  packets.insert(packets.end(), others.begin(), others.end());
  put("calls.pcap", pcap_of(packets));
  const std::pair<std::string, std::string> streams[] = {
      {"a.264", "a.y4m"},
      {"b.264", "b.y4m"},
      {"c.mp4", "c.y4m"},
      {"calls.pcap#10.0.0.1:5004/0x00000001", "calls-10.0.0.1-5004-0x00000001.y4m"},
      {"calls.pcap#10.0.0.1:5004/0x00000002", "calls-10.0.0.1-5004-0x00000002.y4m"},
      {"lost.264", "lost.y4m"}};
  fs::create_directory(path("alone"));
  std::vector<nlohmann::json> alone;
  for (const auto& [stream, file] : streams) {
    alone.push_back(run_json("decode", {stream, "-o", "alone/" + file}));
    alone.back().erase("missing_references");
    alone.back().erase("output");
  }
  for (const std::string device : {"", "tbb", "simt:0,tbb"}) {
    SCOPED_TRACE(device);
    std::vector<std::string> arguments = {"a.264",      "lost.264", "b.264", "c.mp4",
                                          "calls.pcap", "-o",       "out/",  "--force"};
    if (!device.empty()) arguments.insert(arguments.end(), {"--device", device});
    const nlohmann::json json = run_json("decode", arguments);
    EXPECT_EQ(json.at("failed"), 0);
    ASSERT_EQ(json.at("streams").size(), alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
      SCOPED_TRACE(streams[i].first);
      nlohmann::json report = json.at("streams")[i];
      EXPECT_EQ(report.at("output"), "out/" + streams[i].second);
      report.erase("output");
      EXPECT_EQ(report, alone[i]);
      EXPECT_TRUE(bytes("out/" + streams[i].second) == bytes("alone/" + streams[i].second));
    }
  }
}

TEST_F(DecodeTest, AGroupEndsEachStreamAfterTheFramesThatAreWanted) {
  fs::copy_file(fs::absolute("tests/test_data/streams/testsrc2_64x64.264"), path("b.264"));
  run_json("decode", {"b.264", "-o", "alone.y4m", "--frames", "5"});
  for (const std::string device : {"tbb", "simt:0,tbb"}) {
    const auto json =
        run_json("decode", {"b.264", "-o", "out/", "--frames", "5", "--device", device, "--force"});
    EXPECT_EQ(json.at("streams")[0].at("frames"), 5);
    EXPECT_TRUE(bytes("out/b.y4m") == bytes("alone.y4m")) << device;
  }
}

TEST_F(DecodeTest, AStreamThatFailsDoesNotEndTheOthers) {
  put("a.264", tools::h264_bytes({.frames = 3}));
  put("empty.264", "");
  put("end.264", std::string("\0\0\1\x0a", 4));
  fs::create_directory(path("other"));
  put("other/a.264", bytes("a.264"));
  const Finished some =
      run({"decode", "a.264", "empty.264", "end.264", "other/a.264", "missing.264", "-o", "out/",
           "--device", "tbb", "--json", "some.json"});
  EXPECT_EQ(some.exit_status, 1);
  for (const char* const line : {"empty.264: is empty", "end.264: ", "missing.264: ",
                                 "a.264: has the name of another stream"}) {
    EXPECT_NE(some.err.find(line), std::string::npos) << line << "\n" << some.err;
  }
  EXPECT_NE(some.out.find("1 stream, 3 frames, 4 failed\nwrote out/\n"), std::string::npos)
      << some.out;
  EXPECT_EQ(nlohmann::json::parse(bytes("some.json")).at("failed"), 4);
  EXPECT_TRUE(fs::exists(path("out/a.y4m")));
  EXPECT_EQ(std::distance(fs::directory_iterator(path("out")), fs::directory_iterator()), 1);
  // A file that is there is kept.
  const Finished none = run({"decode", "a.264", "-o", "out/"});
  EXPECT_EQ(none.exit_status, 2);
  EXPECT_NE(none.err.find("out/a.y4m"), std::string::npos) << none.err;
}

TEST_F(DecodeTest, OneStreamIsOfOneDevice) {
  put("a.264", tools::h264_bytes({.frames = 3}));
  put("b.264", bytes("a.264"));
  expect_rejected(run({"decode", "a.264", "-o", "a.y4m", "--device", "simt:0,tbb"}),
                  "--device is 'simt:0,tbb', and there is one stream, whose pictures refer to each "
                  "other; name one device");
  expect_rejected(run({"decode", "a.264", "b.264", "-o", "a.y4m"}),
                  "and there are 2 streams; give a folder, with / at the end of its name");
  expect_rejected(run({"decode", ".", "-o", "a.y4m"}), ". names several streams; give a folder");
}

TEST_F(DecodeTest, KeepsAFileThatExists) {
  put("in.264", "x");
  put("out.y4m", "kept");
  expect_rejected(run({"decode", "in.264", "-o", "out.y4m"}), "out.y4m");
  EXPECT_EQ(bytes("out.y4m"), "kept");
}

}  // namespace
}  // namespace millrace::end_to_end
