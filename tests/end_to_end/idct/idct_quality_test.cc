// SPDX-License-Identifier: Apache-2.0

// The transform pair's promise: real clips keep at least 34 dB of luma at QP 28.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/test_data/test_data.h>

namespace millrace::end_to_end {
namespace {

class IdctQualityTest : public EndToEndTest {
 protected:
  void expect_34_db(const std::string& clip, const std::string& frames) {
    const auto json = run_idct({clip, "--frames", frames, "--qp", "28", "--policy", "uberkernel"});
    EXPECT_GE(json.at("psnr_y_db"), 34.0) << clip;
    const int columns = (json.at("width").get<int>() + 15) / 16;
    const int rows = (json.at("height").get<int>() + 15) / 16;
    EXPECT_EQ(json.at("macroblocks"), json.at("frames").get<int>() * columns * rows);
  }

  void expect_34_db_of_data(const std::string& start) {
    const std::string clip = test_data::find(start);
    if (clip.empty()) GTEST_SKIP() << "SKIPPED: no clip " << start;
    expect_34_db(clip, "20");
  }
};

// The first third of it: all of it takes minutes without optimisation.
TEST_F(IdctQualityTest, OfTheDemoClip) {
  const std::string clip = test_data::demo_clip();
  if (clip.empty()) GTEST_SKIP() << "SKIPPED: no MILLRACE_TEST_CLIP, which tools/test sets";
  expect_34_db(clip, "100");
}

TEST_F(IdctQualityTest, OfAnMp4) { expect_34_db_of_data("cockatoo_720p20"); }

TEST_F(IdctQualityTest, OfRawVideo) { expect_34_db_of_data("foreman_cif"); }

TEST_F(IdctQualityTest, OfAnH264Stream) { expect_34_db_of_data("FRExt3_Panasonic"); }

}  // namespace
}  // namespace millrace::end_to_end
