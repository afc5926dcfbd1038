// SPDX-License-Identifier: Apache-2.0

// `millrace idct` on clips of every kind.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/test_data/test_data.h>
#include <millrace/tools/video/libav_clips.h>

#include <algorithm>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

class IdctClipsTest : public EndToEndTest {
 protected:
  // Runs on the clip; its only words on standard error are `note`.
  Y4m run_with_note(const std::string& clip, const std::string& note) {
    const Finished finished = run({"idct", clip});
    EXPECT_EQ(finished.exit_status, 0);
    EXPECT_EQ(finished.err, "millrace: " + note + "\n");
    return read_y4m(path(fs::path(clip).stem().string() + "-idct.y4m"));
  }

  void write_coded(const std::string& name, const std::string& codec, const Y4m& clip) const {
    tools::write_encoded_clip(
        path(name),
        {.codec = codec, .width = clip.width, .height = clip.height, .frames = clip.frames});
  }
};

TEST_F(IdctClipsTest, RawVideoOfTheSizeInItsNameIsLikeY4m) {
  write_y4m(path("clip.y4m"), {});
  write_raw(path("raw_64x48.yuv"), {});
  run_idct({"clip.y4m"});
  run_idct({"raw_64x48.yuv"});
  EXPECT_EQ(read_y4m(path("raw_64x48-idct.y4m")).frames, read_y4m(path("clip-idct.y4m")).frames);
}

TEST_F(IdctClipsTest, RawVideoOfAGivenSize) {
  write_raw(path("raw.bin"), {});
  const auto json = run_idct({"raw.bin", "--size", "64x48"});
  EXPECT_EQ(json.at("width"), 64);
  EXPECT_EQ(json.at("height"), 48);
  EXPECT_EQ(json.at("frames"), 5);
}

TEST_F(IdctClipsTest, OddSizesArePaddedAndComeOutAsTheyWere) {
  write_y4m(path("odd.y4m"), {.width = 101, .height = 67});
  const Y4m pictures = run_with_note("odd.y4m", "101x67 padded to 112x80, whole macroblocks");
  EXPECT_EQ(pictures.width, 101);
  EXPECT_EQ(pictures.height, 67);
  EXPECT_EQ(pictures.frames.size(), 5U);
  const auto json = run_idct({"odd.y4m"});
  EXPECT_EQ(json.at("macroblocks"), 5 * 7 * 5);
  EXPECT_NEAR(json.at("psnr_y_db"), luma_psnr_db(read_y4m(path("odd.y4m")), pictures), 0.01);
}

TEST_F(IdctClipsTest, TheSmallestPicture) {
  write_y4m(path("dot.y4m"), {.width = 1, .height = 1, .frames = 2});
  const Y4m pictures = run_with_note("dot.y4m", "1x1 padded to 16x16, whole macroblocks");
  EXPECT_EQ(pictures.width, 1);
  EXPECT_EQ(pictures.frames.size(), 2U);
}

TEST_F(IdctClipsTest, TenBitSamplesAreConverted) {
  write_y4m(path("deep.y4m"), {.bits = 10});
  write_y4m(path("plain.y4m"), {});
  const Y4m pictures = run_with_note("deep.y4m", "10-bit 4:2:0 converted to 8-bit 4:2:0");
  EXPECT_GT(luma_psnr_db(read_y4m(path("plain.y4m")), pictures), 30);
}

TEST_F(IdctClipsTest, FullChromaIsConverted) {
  write_y4m(path("full.y4m"), {.full_chroma = true});
  write_y4m(path("plain.y4m"), {});
  const Y4m pictures = run_with_note("full.y4m", "8-bit 4:4:4 converted to 8-bit 4:2:0");
  EXPECT_GT(luma_psnr_db(read_y4m(path("plain.y4m")), pictures), 30);
}

TEST_F(IdctClipsTest, ATruncatedClipServesUpToItsCut) {
  write_y4m(path("cut.y4m"), {});
  fs::resize_file(path("cut.y4m"), fs::file_size(path("cut.y4m")) - 1000);
  const Finished finished = run({"idct", "cut.y4m", "--frames", "4"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(finished.err, "millrace: cut.y4m: truncated: 1000 bytes are missing\n");
  EXPECT_EQ(read_y4m(path("cut-idct.y4m")).frames.size(), 4U);
}

TEST_F(IdctClipsTest, AnEncodedClipIsLikeItsFrames) {
  write_y4m(path("clip.y4m"), {});
  write_coded("coded.mkv", "ffv1", read_y4m(path("clip.y4m")));
  run_idct({"clip.y4m"});
  run_idct({"coded.mkv"});
  EXPECT_EQ(read_y4m(path("coded-idct.y4m")).frames, read_y4m(path("clip-idct.y4m")).frames);
}

TEST_F(IdctClipsTest, ATruncatedMp4IsRejected) {
  write_y4m(path("clip.y4m"), {.width = 128, .height = 128, .frames = 20});
  write_coded("cut.mp4", "mpeg4", read_y4m(path("clip.y4m")));
  fs::resize_file(path("cut.mp4"), fs::file_size(path("cut.mp4")) / 2);
  const auto before = names();
  expect_rejected(run({"idct", "cut.mp4"}), "cut.mp4: truncated: ");
  EXPECT_EQ(names(), before);
}

TEST_F(IdctClipsTest, ARealClipIsDecodedAsByLibavcodec) {
  const std::string clip = test_data::find("dog_1080p30");
  if (clip.empty()) GTEST_SKIP() << "SKIPPED: no dog_1080p30 clip";
  fs::create_symlink(clip, path("dog.mp4"));
  const auto json = run_idct({"dog.mp4", "--frames", "5", "--queue", "requantised"});
  EXPECT_EQ(json.at("macroblocks"), 5 * 120 * 68);
  const Y4m pictures = read_y4m(path("dog-idct.y4m"));
  const Y4m source = {.width = pictures.width,
                      .height = pictures.height,
                      .header = {},
                      .frames = tools::libav_pictures(path("dog.mp4"), 5)};
  EXPECT_NEAR(luma_psnr_db(source, pictures), json.at("psnr_y_db"), 0.01);
}

}  // namespace
}  // namespace millrace::end_to_end
