// SPDX-License-Identifier: Apache-2.0

// Raw video and y4m, of every format.
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/video_reader.h>
#include <millrace/tools/video/video_reader_test.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

TEST_F(VideoReaderTest, ReadsRawVideoOfTheSizeInItsName) {
  VideoReader reader(put("a_32x16.yuv", std::string(2 * 32 * 16 * 3 / 2, 77)));
  EXPECT_EQ(reader.width(), 32);
  EXPECT_EQ(reader.height(), 16);
  EXPECT_EQ(reader.expected_frames(), 2);
  Picture picture;
  ASSERT_TRUE(reader.next(picture));
  EXPECT_EQ(picture.plane(2).row(7)[15], 77);
  ASSERT_TRUE(reader.next(picture));
  EXPECT_FALSE(reader.next(picture));
}

TEST_F(VideoReaderTest, AGivenSizeWinsOverTheName) {
  const std::string clip = put("a_32x16.yuv", std::string(16 * 16 * 3 / 2, 77));
  EXPECT_EQ(VideoReader(clip, {.width = 16, .height = 16}).width(), 16);
}

// A frame of 64x48 has 6144 bytes in 8-bit 4:2:2, and four of 8-bit 4:2:0 are three of it.
TEST_F(VideoReaderTest, ReadsRawVideoOfTheFormatInItsName) {
  const struct {
    const char* name;
    int frame_bytes;
    const char* source_format;
  } kCases[] = {
      {"a_64x48.yuv", 4608, "rawvideo, yuv420p"},
      {"a_64x48_nv12.yuv", 4608, "rawvideo, nv12"},
      {"a_64x48_10bit.yuv", 9216, "rawvideo, yuv420p10le"},
      {"a_64x48_p010le.yuv", 9216, "rawvideo, p010le"},
      {"a_64x48_422.yuv", 6144, "rawvideo, yuv422p"},
      {"a_64x48_444.yuv", 9216, "rawvideo, yuv444p"},
      {"a_64x48_gray.yuv", 3072, "rawvideo, gray"},
      {"a_64x48.y", 3072, "rawvideo, gray"},
      {"a_64x48.uyvy", 6144, "rawvideo, uyvy422"},
  };
  for (const auto& [name, frame_bytes, source_format] : kCases) {
    VideoReader reader(put(name, std::string(3 * frame_bytes, 77)));
    EXPECT_EQ(reader.source_format(), source_format) << name;
    EXPECT_EQ(reader.expected_frames(), 3) << name;
    Picture picture;
    int frames = 0;
    while (reader.next(picture)) ++frames;
    EXPECT_EQ(frames, 3) << name;
  }
}

TEST_F(VideoReaderTest, SamplesOfRawVideoAreThoseOfItsFormat) {
  std::string ten_bits;
  for (int i = 0; i < 16 * 16 * 3 / 2; ++i) ten_bits += std::string("\x90\x01", 2);  // 400 of 1023.
  const std::string luma(256, 50);
  const std::string one(64, 60);
  const std::string other(64, 70);
  const struct {
    const char* name;
    std::string bytes;
    int samples[3];
  } kCases[] = {{"a_16x16_10bit.yuv", ten_bits, {100, 100, 100}},
                {"a_16x16_i420.yuv", luma + one + other, {50, 60, 70}},
                {"a_16x16_yv12.yuv", luma + one + other, {50, 70, 60}},
                {"a_16x16_422.yuv", luma + one + one + other + other, {50, 60, 70}}};
  for (const auto& [name, bytes, samples] : kCases) {
    VideoReader reader(put(name, bytes));
    Picture picture;
    ASSERT_TRUE(reader.next(picture));
    for (int i = 0; i < Picture::kPlanes; ++i) {
      EXPECT_EQ(picture.plane(i).row(4)[4], samples[i]) << name << " plane " << i;
    }
  }
}

TEST_F(VideoReaderTest, AGivenFormatWinsOverTheName) {
  const std::string clip = put("a_16x16_422.yuv", std::string(2 * 768, 77));
  VideoReader reader(clip, {.pixel_format = "yuv444p"});
  EXPECT_EQ(reader.source_format(), "rawvideo, yuv444p");
  EXPECT_EQ(reader.expected_frames(), 2);
}

TEST_F(VideoReaderTest, RejectsRawVideoThatIsNot) {
  const auto reject = [&](const std::string& clip, VideoReaderOptions options = {}) {
    return error_of(clip, ErrorCode::kInvalidArgument, options);
  };
  std::string deep;
  for (int i = 0; i < 768; ++i) deep += {static_cast<char>(i * 31), static_cast<char>(i % 4)};
  EXPECT_EQ(reject(put("a_16x16.yuv", deep)),
            "looks like yuv420p10le rather than 8-bit 4:2:0; give --pixel-format "
            "yuv420p10le or --pixel-format yuv420p");
  EXPECT_EQ(error_of(put("b_16x16.yuv", deep), ErrorCode::kIo, {.pixel_format = "yuv420p"}),
            "no error");
  EXPECT_EQ(reject(put_y4m("a.y4m", {.width = 16, .height = 16}, 1), {.width = 16, .height = 16}),
            "is a y4m file by its first bytes, not raw video; leave out --size and --pixel-format");
  EXPECT_TRUE(
      reject(put("c_16x16.yuv", std::string(384, 77)), {.pixel_format = "yuv421"})
          .starts_with("--pixel-format is 'yuv421', which is no raw format that can be read"));
  EXPECT_TRUE(reject(put("a_16x16_422_444.yuv", std::string(768, 77)))
                  .starts_with("the name says two sample formats, 422 and 444; give one of them"));
}

TEST_F(VideoReaderTest, AContainerByAnotherNameIsNotRawVideo) {
  const std::string y4m = put_y4m("a.y4m", {.width = 64, .height = 48}, 2);
  fs::rename(y4m, path("a_16x16.yuv"));
  EXPECT_EQ(VideoReader(path("a_16x16.yuv")).width(), 64);
}

// A file of 1536 bytes, a frame of 32x32, that begins with `start`.
std::string frame_that_begins(const std::string& start) {
  std::string bytes = start;
  while (bytes.size() < 1536) bytes += static_cast<char>(bytes.size() * 37);
  return bytes;
}

std::string transport_stream() {
  constexpr std::size_t kPacket = 188;
  std::string bytes = frame_that_begins("");
  for (std::size_t i = 0; i < bytes.size(); i += kPacket) bytes[i] = 'G';
  return bytes;
}

TEST_F(VideoReaderTest, FilesOfOtherKindsAreNotRawVideo) {
  using namespace std::string_literals;
  const std::string unpack = ", not video; unpack it first";
  const struct {
    std::string bytes;
    std::string kind;
    std::string by_its_name;  // The error where the name is one of raw video.
  } kCases[] = {
      {frame_that_begins("\x1f\x8b\x08\0\0\0\0\0\0\x03"s), "a gzip file", unpack},
      {frame_that_begins("PK\3\4\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0a.txt"s),
       "a zip archive (.npz, .zip)", unpack},
      {frame_that_begins("\xfd"
                         "7zXZ\0\0\4"s),
       "an xz file", unpack},
      {frame_that_begins("\x93NUMPY\1\0"s), "a .npy array", ", not video"},
      {frame_that_begins("%PDF-1.7\n"), "a PDF document", ", not video"},
      // These may be video: they are given to FFmpeg, for which they are broken.
      {frame_that_begins("\x89PNG\r\n\x1a\n"), "a PNG picture", ""},
      {transport_stream(), "an MPEG transport stream", ""},
  };
  for (const auto& [bytes, kind, by_its_name] : kCases) {
    const std::string named = put("clip_32x32.yuv", bytes);
    if (by_its_name.empty()) {
      EXPECT_NE(error_of(named), "no error") << kind;
    } else {
      EXPECT_EQ(error_of(named, ErrorCode::kInvalidArgument), "is " + kind + by_its_name);
    }
    EXPECT_EQ(
        error_of(put("clip.yuv", bytes), ErrorCode::kInvalidArgument, {.width = 32, .height = 32}),
        "is " + kind +
            " by its first bytes, not raw video; leave out --size and "
            "--pixel-format");
  }
  // Samples of one value repeat the byte that begins packets of a transport stream.
  EXPECT_EQ(error_of(put("flat_32x32.yuv", std::string(1536, 'G'))), "no error");
}

TEST_F(VideoReaderTest, RawVideoNeedsAPossibleSize) {
  const std::string clip = put("a.yuv", std::string(384, 77));
  EXPECT_EQ(error_of(clip, ErrorCode::kInvalidArgument), "raw video needs --size WIDTHxHEIGHT");
  EXPECT_EQ(error_of(clip, ErrorCode::kInvalidArgument, {.width = -1, .height = 16}),
            "--size is -1x16; each must be in 1..32768");
}

TEST_F(VideoReaderTest, RawVideoIsWholeFrames) {
  EXPECT_EQ(error_of(put("a_16x16.yuv", std::string(500, 77))),
            "truncated at frame 1: 268 bytes are missing");
  EXPECT_EQ(VideoReader(path("a_16x16.yuv")).truncated(),
            "truncated or of another size: 500 bytes are no whole number of 16x16 frames of "
            "yuv420p");
  EXPECT_EQ(error_of(put("b_16x16.yuv", std::string(256, 77))),
            "truncated or of another size: 256 bytes are no whole number of 16x16 frames of "
            "yuv420p; as gray they are 1 (--pixel-format gray)");
}

TEST_F(VideoReaderTest, ReadsY4mHeadersThatOthersWrite) {
  const std::string samples(32 * 32 * 3 / 2, 77);
  const std::string frame_tags[] = {"FRAME", "FRAME Itpp", "FRAME X" + std::string(300, 'x')};
  for (const std::string& tags :
       {std::string("F24000:1001 Ip A1:1 C420jpeg XYSCSS=420JPEG XCOLORRANGE=LIMITED"),
        "F25:1 X" + std::string(300, 'x'), std::string("F25:1"), std::string("C420 Im F0:0 A0:0"),
        std::string("F25:1 XLENGTH=2 Zx")}) {
    for (const std::string& frame : frame_tags) {
      std::string bytes = "YUV4MPEG2 W32 H32 ";
      bytes.append(tags).append("\n");
      for (int i = 0; i < 2; ++i) bytes.append(frame).append("\n").append(samples);
      const std::string clip = put("a.y4m", bytes);
      EXPECT_EQ(error_of(clip), "no error") << tags;
      EXPECT_EQ(VideoReader(clip).expected_frames(), 2) << tags;
    }
  }
}

TEST_F(VideoReaderTest, SaysWhatIsWrongWithAY4mHeader) {
  EXPECT_EQ(
      error_of(put("a.y4m", "YUV4MPEG2 W32\nFRAME\n")),
      "y4m without a width (W) and a height (H) in its first line; write them, such as W64 H48");
  EXPECT_EQ(error_of(put("a.y4m", "YUV4MPEG2 W32 H16 C1\n")),
            "y4m of colour space C1, which cannot be read; convert it to 420, 422, 444 or mono of "
            "8 to 16 bits, or to 411");
  EXPECT_EQ(error_of(put("a.y4m", "YUV4MPEG2 W2 H2\nFRAME\nABCDEFxFRAME\nABCDEF")),
            "damaged at frame 1: no FRAME line stands before it; write the clip again");
}

}  // namespace
}  // namespace millrace::tools
