// SPDX-License-Identifier: Apache-2.0
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/test_data/test_data.h>

#include <filesystem>
#include <string>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

class DecodeTest : public EndToEndTest {};

TEST_F(DecodeTest, WritesThePicturesThatFfmpegDecodes) {
  const std::string stream = test_data::find("test_qcif_cabac");
  if (stream.empty()) GTEST_SKIP() << "SKIPPED: no test_qcif_cabac.264";
  fs::create_symlink(stream, path("in.264"));
  const auto json = run_json("decode", {"in.264", "-o", "out.y4m"});
  EXPECT_EQ(json.at("frames"), 30);
  EXPECT_EQ(json.at("width"), 176);
  EXPECT_EQ(json.at("height"), 144);
  EXPECT_EQ(json.at("concealed_macroblocks"), 0);
  EXPECT_EQ(json.at("faults"), 0);
  if (!run_ffmpeg(folder_, "-i in.264 -f rawvideo -pix_fmt yuv420p in.yuv") ||
      !run_ffmpeg(folder_, "-i out.y4m -f rawvideo -pix_fmt yuv420p out.yuv")) {
    GTEST_SKIP() << "SKIPPED: no ffmpeg";
  }
  EXPECT_EQ(bytes("in.yuv").size(), 30u * 176 * 144 * 3 / 2);
  EXPECT_TRUE(bytes("in.yuv") == bytes("out.yuv"));
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
  put("notes.264", "These are no NAL units.");
  expect_refused(run({"decode", "notes.264", "-o", "out.y4m"}), "has no NAL units");
  put("empty.264", "");
  expect_refused(run({"decode", "empty.264", "-o", "out.y4m"}), "has no NAL units");
  put("end.264", std::string("\0\0\1\x0a", 4));
  expect_refused(run({"decode", "end.264", "-o", "out.y4m"}), "no picture that can be decoded");
  expect_refused(run({"decode", "missing.264", "-o", "out.y4m"}), "missing.264");
  EXPECT_FALSE(names().contains("out.y4m"));
}

TEST_F(DecodeTest, KeepsAFileThatExists) {
  put("in.264", "x");
  put("out.y4m", "kept");
  expect_refused(run({"decode", "in.264", "-o", "out.y4m"}), "out.y4m");
  EXPECT_EQ(bytes("out.y4m"), "kept");
}

}  // namespace
}  // namespace millrace::end_to_end
