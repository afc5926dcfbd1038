// SPDX-License-Identifier: Apache-2.0

// The host's memory of an encode at 1080p.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

constexpr double kMegabyte = 1e6;
constexpr double kMostMegabytes = 500;

class EncodeMemoryTest : public EndToEndTest {
 protected:
  double megabytes_of(const std::vector<std::string>& options) const {
    std::vector<std::string> arguments = {"encode",  "clip.yuv", "--size",   "1920x1080",
                                          "-o",      "out.mp4",  "--device", "tbb",
                                          "--range", "8",        "--force"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    return static_cast<double>(finished.peak_bytes) / kMegabyte;
  }
};

// More frames than are encoded at once, whatever the number of cores.
TEST_F(EncodeMemoryTest, IsUnderTheLimitHoweverLongTheClip) {
  write_black_raw(path("clip.yuv"), {.width = 1920, .height = 1080, .frames = 150});
  EXPECT_LT(megabytes_of({"--decide", "cost"}), kMostMegabytes);
  // Groups that are not kept whole.
  EXPECT_LT(
      megabytes_of({"--decide", "cost", "--gop", "100", "--references", "4", "--frames", "20"}),
      kMostMegabytes);
}

}  // namespace
}  // namespace millrace::end_to_end
