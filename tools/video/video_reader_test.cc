// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/video_reader.h>
#include <millrace/tools/video/video_reader_test.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

TEST_F(VideoReaderTest, ReadsBackWhatWasWritten) {
  const std::string clip = put_y4m("a.y4m", {.width = 64, .height = 48, .rate = {30, 1}}, 3);
  VideoReader reader(clip);
  EXPECT_EQ(reader.width(), 64);
  EXPECT_EQ(reader.height(), 48);
  EXPECT_EQ(reader.frame_rate().numerator, 30);
  EXPECT_EQ(reader.expected_frames(), 3);
  EXPECT_EQ(reader.source_format(), "rawvideo, yuv420p");
  EXPECT_EQ(reader.converted() + reader.padded() + reader.truncated(), "");
  Picture picture;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(reader.next(picture));
    EXPECT_TRUE(same(picture, make_picture(64, 48, i)));
  }
  EXPECT_FALSE(reader.next(picture));
}

TEST_F(VideoReaderTest, PadsOddSizesAndSaysSo) {
  VideoReader reader(put_y4m("a.y4m", {.width = 35, .height = 17}, 1));
  EXPECT_EQ(reader.padded(), "35x17 padded to 48x32, whole macroblocks");
  Picture picture;
  ASSERT_TRUE(reader.next(picture));
  EXPECT_TRUE(same(picture, make_picture(35, 17, 0)));
}

TEST_F(VideoReaderTest, RemembersRangeAndChromaSite) {
  const Y4mFormat format = {
      .width = 16, .height = 16, .rate = {}, .full_range = true, .chroma_left = true};
  VideoReader reader(put_y4m("a.y4m", format, 1));
  EXPECT_TRUE(reader.full_range());
  EXPECT_TRUE(reader.chroma_left());
  EXPECT_EQ(reader.converted(), "");
  Picture picture;
  ASSERT_TRUE(reader.next(picture));
  EXPECT_TRUE(same(picture, make_picture(16, 16, 0)));
}

TEST_F(VideoReaderTest, ReusesMemory) {
  const std::string clip = put_y4m("a.y4m", {.width = 64, .height = 48}, 60);
  for (const int threads : {1, 2}) {
    VideoReader reader(clip, {.threads = threads});
    Picture picture;
    std::set<const std::uint8_t*> memory;
    while (reader.next(picture)) memory.insert(picture.plane(0).data);
    // Threads are at most 16 pictures ahead.
    EXPECT_LE(memory.size(), threads == 1 ? 1U : 17U);
  }
}

TEST_F(VideoReaderTest, ConvertsTenBitSamplesAndSaysSo) {
  std::string samples;
  for (int i = 0; i < 32 * 32 * 3 / 2; ++i) samples += std::string("\x90\x01", 2);  // 400 / 1023
  const std::string header = "YUV4MPEG2 W32 H32 F25:1 C420p10 XYSCSS=420P10\nFRAME\n";
  VideoReader reader(put("a.y4m", header + samples));
  EXPECT_EQ(reader.converted(), "10-bit 4:2:0 converted to 8-bit 4:2:0");
  Picture picture;
  ASSERT_TRUE(reader.next(picture));
  EXPECT_EQ(picture.plane(0).row(20)[20], 100);
  EXPECT_EQ(picture.plane(1).row(7)[7], 100);
}

TEST_F(VideoReaderTest, ConvertsFullChromaAndSaysSo) {
  const std::string planes =
      std::string(32 * 32, 50) + std::string(32 * 32, 60) + std::string(32 * 32, 70);
  VideoReader reader(put("a.y4m", "YUV4MPEG2 W32 H32 F25:1 C444\nFRAME\n" + planes));
  EXPECT_EQ(reader.converted(), "8-bit 4:4:4 converted to 8-bit 4:2:0");
  Picture picture;
  ASSERT_TRUE(reader.next(picture));
  EXPECT_EQ(picture.plane(0).row(31)[31], 50);
  EXPECT_EQ(picture.plane(1).row(15)[15], 60);
  EXPECT_EQ(picture.plane(2).row(0)[0], 70);
}

TEST_F(VideoReaderTest, SaysWhereY4mIsCut) {
  const std::string clip = put_y4m("a.y4m", {.width = 64, .height = 48}, 4);
  fs::resize_file(clip, fs::file_size(clip) - 1000);
  EXPECT_EQ(VideoReader(clip).truncated(), "truncated: 1000 bytes are missing");
  EXPECT_EQ(error_of(clip), "truncated at frame 3: 1000 bytes are missing");
}

TEST_F(VideoReaderTest, DeliversWhatIsWholeBeforeTheCut) {
  const std::string clip = put_y4m("a.y4m", {.width = 64, .height = 48}, 4);
  fs::resize_file(clip, fs::file_size(clip) - 1000);
  VideoReader reader(clip);
  Picture picture;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(reader.next(picture));
}

TEST_F(VideoReaderTest, SaysWhatKeepsAFileFromBeingRead) {
  EXPECT_EQ(error_of(path("none.mp4")), "cannot be read: No such file or directory");
  EXPECT_EQ(error_of(folder_.string()), "is a directory, not a video; give a file");
  EXPECT_EQ(error_of(put("empty.mp4", "")), "is empty; give a file that has a video");
  EXPECT_EQ(error_of(put("empty_16x16.yuv", "")), "is empty; give a file that has a video");
  EXPECT_EQ(error_of(put("zero.y4m", "YUV4MPEG2 W32 H16 F25:1 C420jpeg\n")),
            "no frames; give a clip that has one or more");
}

TEST_F(VideoReaderTest, TakesNothingElseForAVideo) {
  EXPECT_TRUE(error_of(put("a.txt", std::string(5000, 'a'))).starts_with("not a video"));
  EXPECT_TRUE(error_of(put("a.mp4", "this is no mp4")).starts_with("not a video"));
  EXPECT_TRUE(error_of(put("a", "int main() {}\n")).starts_with("not a video"));
}

TEST_F(VideoReaderTest, SaysThatAPackedClipIsToBeUnpacked) {
  const std::string header("\x1f\x8b\x08\0\0\0\0\0\2\xff", 10);
  EXPECT_EQ(error_of(put("clip.mp4", header + std::string(5000, '\x55'))),
            "is a gzip file, not a video; unpack it first");
}

TEST_F(VideoReaderTest, SoundAloneIsNoVideo) {
  const std::string header("RIFF\x24\x01\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0",
                           32);
  const std::string format("\1\0\x08\0data\0\1\0\0", 12);
  EXPECT_EQ(error_of(put("a.wav", header + format + std::string(256, '\x80'))),
            "no video stream; give a clip that has one");
}

TEST_F(VideoReaderTest, AColonInTheNameIsNoProtocol) {
  const std::string clip = put_y4m("http:a.y4m", {.width = 16, .height = 16}, 1);
  EXPECT_EQ(error_of(clip), "no error");
}

}  // namespace
}  // namespace millrace::tools
