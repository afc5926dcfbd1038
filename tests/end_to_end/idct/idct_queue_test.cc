// SPDX-License-Identifier: Apache-2.0

// The queue of an H.264 stream, and --queue.
#include <millrace/tests/end_to_end/clip_file.h>
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tools/video/libav_clips.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// 12 frames of 64x64: 16 macroblocks each.
class IdctQueueTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    fs::copy_file(fs::absolute("tests/test_data/streams/testsrc2_64x64.264"), path("small.264"));
  }
};

TEST_F(IdctQueueTest, IsTheStreamsOwn) {
  const auto json = run_idct({"small.264"});
  EXPECT_EQ(json.at("queue"), "stream");
  EXPECT_EQ(json.at("frames"), 12);
  EXPECT_EQ(json.at("macroblocks"), 12 * 16);
  EXPECT_EQ(json.at("faults"), 0);
  EXPECT_GT(json.at("coded_share"), 0);
  EXPECT_LT(json.at("coded_share"), 1);
  EXPECT_THAT(bytes("small-idct.csv"),
              testing::StartsWith("frame,macroblocks,coded_share,share_8x8,"));
}

TEST_F(IdctQueueTest, GivesThePicturesOfLibavcodec) {
  run_idct({"small.264"});
  EXPECT_TRUE(read_y4m(path("small-idct.y4m")).frames == tools::libav_pictures(path("small.264")));
}

TEST_F(IdctQueueTest, IsThatOfTheStreamInAContainer) {
  tools::remux_h264(path("small.264"), path("small.mp4"));
  run_idct({"small.264"});
  const auto json = run_idct({"small.mp4", "--out-dir", "."});
  EXPECT_EQ(json.at("queue"), "stream");
  EXPECT_EQ(json.at("macroblocks"), 12 * 16);
}

TEST_F(IdctQueueTest, IsReadFromAPipe) {
  const Finished finished =
      run_shell(folder_, "\"$M\" idct - --queue stream --json - < small.264 | grep -c stream");
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_TRUE(fs::exists(path("stdin-idct.y4m")));
}

TEST_F(IdctQueueTest, IsRequantisedOnRequest) {
  const auto json = run_idct({"small.264", "--queue", "requantised"});
  EXPECT_EQ(json.at("queue"), "requantised");
  EXPECT_EQ(json.at("qp"), 28);
  EXPECT_EQ(run_idct({"small.264", "--qp", "30"}).at("queue"), "requantised");
}

TEST_F(IdctQueueTest, IsRejectedWhereThereIsNone) {
  write_y4m(path("clip.y4m"), {});
  expect_rejected(
      run({"idct", "clip.y4m", "--queue", "stream"}),
      "clip.y4m: has no H.264 stream; its video is rawvideo; convert it to H.264; or write "
      "--queue requantised");
  expect_rejected(run({"idct", "small.264", "--queue", "stream", "--qp", "30"}),
                  "--qp and --queue stream are both given");
  expect_rejected(run({"idct", "small.264", "--queue", "own"}),
                  "--queue is 'own'; write stream, or requantised");
}

}  // namespace
}  // namespace millrace::end_to_end
