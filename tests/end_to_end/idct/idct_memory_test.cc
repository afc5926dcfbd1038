// SPDX-License-Identifier: Apache-2.0

// However long a clip is, memory does not grow with it.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/test_data/test_data.h>

namespace millrace::end_to_end {
namespace {

constexpr double kMegabyte = 1e6;
constexpr double kMostMegabytes = 300;

class IdctMemoryTest : public EndToEndTest {
 protected:
  // Under all policies, one after another.
  double megabytes_of(const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {"idct", "--device", "tbb", "--force"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Finished finished = run(all);
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    return static_cast<double>(finished.peak_bytes) / kMegabyte;
  }
};

TEST_F(IdctMemoryTest, StaysTheSameHoweverLongTheClip) {
  write_moving_raw(path("clip.yuv"), {.width = 1920, .height = 1080, .frames = 40});
  const auto megabytes_of_frames = [&](const std::string& frames) {
    return megabytes_of({"clip.yuv", "--size", "1920x1080", "--frames", frames});
  };
  const double base = megabytes_of_frames("8");
  const double most = megabytes_of_frames("40");
  EXPECT_LT(most, kMostMegabytes);
  // 32 more frames; one alone is 3 MB.
  EXPECT_LT(most - base, 20) << base << " MB for 8 frames, " << most << " MB for 40";
}

TEST_F(IdctMemoryTest, ARealClipStaysUnderTheLimit) {
  const std::string clip = test_data::find("dog_1080p30");
  if (clip.empty()) GTEST_SKIP() << "SKIPPED: no dog_1080p30 clip";
  EXPECT_LT(megabytes_of({clip}), kMostMegabytes);
}

}  // namespace
}  // namespace millrace::end_to_end
