// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/test_folder.h>
#include <millrace/tools/video/made_clips.h>
#include <millrace/tools/video/muxer/h264_muxer.h>
#include <millrace/tools/video/timed_clip.h>
#include <millrace/tools/video/video_reader.h>

#include <gtest/gtest.h>

#include <cstddef>
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

  void mux(OutputFile& file, const std::vector<PictureTime>& times = {}) const {
    H264Muxer muxer(file, format_);
    int index = 0;
    for (const std::vector<std::uint8_t>& unit : access_units()) {
      const auto at = static_cast<std::size_t>(index);
      muxer.write(unit, index++ % kKey == 0, times.empty() ? PictureTime{} : times.at(at));
    }
    muxer.finish();
    file.commit();
  }

  // Expects that the pictures of both containers begin at these times, in ticks of `clock`.
  void expect_times(const std::vector<PictureTime>& times, const TimeBase& clock) {
    for (const Container container : {Container::kMp4, Container::kMatroska}) {
      format_.container = container;
      const std::string name = container == Container::kMp4 ? "out.mp4" : "out.mkv";
      OutputFile file(path(name), true);
      mux(file, times);
      EXPECT_EQ(begins_of(packet_times(path(name), clock)), begins_of(times)) << name;
    }
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

// Each is a whole number of milliseconds, which Matroska has.
const std::vector<PictureTime> kUneven = {{0, 3600},      {3600, 90},      {3690, 90'000},
                                          {93'690, 4500}, {98'190, 1'800}, {99'990, 7200}};

TEST_F(H264MuxerTest, KeepsUnevenTimes) {
  format_.time_base = TimeBase{1, 90'000};
  expect_times(kUneven, {1, 90'000});
}

// MP4 has the ticks of the clip's own clock, and the duration of the last picture.
TEST_F(H264MuxerTest, Mp4HasTimesToTheTick) {
  format_.time_base = TimeBase{1, 90'000};
  const std::vector<PictureTime> times = {
      {0, 1}, {1, 3003}, {3004, 3000}, {6004, 100'000}, {106'004, 3'000'000}, {3'106'004, 7}};
  OutputFile file(path("out.mp4"), false);
  mux(file, times);
  const std::vector<PictureTime> kept = packet_times(path("out.mp4"), {1, 90'000});
  EXPECT_EQ(begins_of(kept), begins_of(times));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(kept[i].duration, times[i].duration) << "picture " << i;
  }
}

TEST_F(H264MuxerTest, AFileMayBeginLate) {
  format_.time_base = TimeBase{1, 90'000};
  std::vector<PictureTime> late = kUneven;
  for (PictureTime& time : late) time.begin += 45'090;
  expect_times(late, {1, 90'000});
}

// Durations of MP4 have 31 bits, of nanoseconds these are seconds.
TEST_F(H264MuxerTest, AFineClockMayHaveLongPictures) {
  constexpr std::int64_t kMinute = 60'000'000'000;
  format_.time_base = TimeBase{1, 1'000'000'000};
  std::vector<PictureTime> times;
  for (int i = 0; i < kPictures; ++i) times.push_back({i * kMinute, kMinute});
  expect_times(times, {1, 1'000'000'000});
}

TEST_F(H264MuxerTest, TimesRiseWhereTheFileCannotDistinguishThem) {
  format_.time_base = TimeBase{1, 1'000'000'000};
  std::vector<PictureTime> times;
  for (int i = 0; i < kPictures; ++i) times.push_back({i, 1});
  OutputFile file(path("out.mp4"), false);
  mux(file, times);
  EXPECT_EQ(begins_of(packet_times(path("out.mp4"), {1, 1'000'000})),
            (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
}

TEST_F(H264MuxerTest, ARateIsExactInMp4) {
  OutputFile file(path("out.mp4"), false);
  mux(file);
  EXPECT_EQ(begins_of(packet_times(path("out.mp4"), {1001, 30'000})),
            (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
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
