// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/test_folder.h>
#include <millrace/tools/video/made_clips.h>
#include <millrace/tools/video/muxer/h264_muxer.h>
#include <millrace/tools/video/video_reader.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

constexpr int kPictures = 6;
constexpr int kKey = 3;

// The access units of a made stream: each picture has one slice.
std::vector<std::vector<std::uint8_t>> access_units() {
  const std::string text = h264_bytes({.frames = kPictures, .key = kKey});
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  h264::AnnexBSplitter splitter;
  splitter.push(bytes);
  splitter.finish();
  std::vector<std::vector<std::uint8_t>> units;
  std::vector<std::uint8_t> current;
  while (const std::optional<h264::NalUnit> unit = splitter.next()) {
    current.insert(current.end(), {0, 0, 0, 1});
    current.insert(current.end(), unit->bytes.begin(), unit->bytes.end());
    const int type = unit->bytes[0] & 31;
    if (type == 1 || type == 5) units.push_back(std::exchange(current, {}));
  }
  return units;
}

class H264MuxerTest : public TestFolder {
 protected:
  H264MuxerFormat format_{.width = kMadeH264Width,
                          .height = kMadeH264Height,
                          .rate = {30'000, 1001},
                          .aspect = {16, 11}};

  void mux(OutputFile& file) const {
    H264Muxer muxer(file, format_);
    int index = 0;
    for (const std::vector<std::uint8_t>& unit : access_units()) {
      muxer.write(unit, index++ % kKey == 0);
    }
    muxer.finish();
    file.commit();
  }

  void expect_clip(const std::string& name) const {
    VideoReader reader(path(name));
    EXPECT_EQ(reader.width(), kMadeH264Width);
    EXPECT_EQ(reader.height(), kMadeH264Height);
    EXPECT_EQ(reader.frame_rate().numerator, 30'000);
    EXPECT_EQ(reader.frame_rate().denominator, 1001);
    EXPECT_EQ(reader.aspect().numerator, 16);
    EXPECT_EQ(reader.aspect().denominator, 11);
    EXPECT_NEAR(static_cast<double>(reader.expected_frames()), kPictures, 1);
    Picture picture;
    int count = 0;
    while (reader.next(picture)) ++count;
    EXPECT_EQ(count, kPictures);
    EXPECT_TRUE(reader.irregularities().empty());
  }
};

TEST_F(H264MuxerTest, WritesMp4) {
  OutputFile file(path("out.mp4"), false);
  mux(file);
  expect_clip("out.mp4");
}

TEST_F(H264MuxerTest, WritesMatroska) {
  format_.container = Container::kMatroska;
  OutputFile file(path("out.mkv"), false);
  mux(file);
  expect_clip("out.mkv");
}

TEST_F(H264MuxerTest, EqualStreamsGiveEqualFiles) {
  for (const Container container : {Container::kMp4, Container::kMatroska}) {
    format_.container = container;
    OutputFile first(path("first"), true);
    OutputFile second(path("second"), true);
    mux(first);
    mux(second);
    EXPECT_EQ(text("first"), text("second"));
  }
}

TEST_F(H264MuxerTest, AFullDiskIsNamed) {
  OutputFile file("/dev/full", false);
  try {
    mux(file);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_STREQ(error.what(), "/dev/full: cannot be written: No space left on device");
  }
}

}  // namespace
}  // namespace millrace::tools
