// SPDX-License-Identifier: Apache-2.0

// However many streams there are, memory does not grow with them.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

constexpr double kMegabyte = 1e6;

class FeaturesMemoryTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    has_stream_ = run_ffmpeg(folder_,
                             "-f lavfi -i testsrc2=size=352x288:rate=25 -frames:v 3 -pix_fmt "
                             "yuv420p -c:v libx264 -preset ultrafast -b:v 300k -f h264 cif.264");
  }

  // Peak of a run over a list of `streams` names of the CIF stream, two at a time.
  double megabytes_of(int streams, const std::vector<std::string>& options) {
    {
      std::ofstream list(path("list"));
      for (int i = 0; i < streams; ++i) list << "cif.264\n";
    }
    std::vector<std::string> all = {"features", "@list",      "--jobs", "2",
                                    "-o",       "out.ldjson", "--force"};
    all.insert(all.end(), options.begin(), options.end());
    const Finished finished = run(all);
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    EXPECT_NE(finished.out.find(std::to_string(streams) + " streams"), finished.out.npos)
        << finished.out;
    return static_cast<double>(finished.peak_bytes) / kMegabyte;
  }

  bool has_stream_ = false;
};

// 10,000 streams of CIF are to stay under 1 GB. The test has fewer, which take some seconds, and
// extends their growth in a line.
TEST_F(FeaturesMemoryTest, TenThousandStreamsStayUnderAGigabyte) {
  if (!has_stream_) GTEST_SKIP() << "SKIPPED: no ffmpeg with libx264";
  constexpr int kFew = 50;
  constexpr int kMany = 1000;
  const double few = megabytes_of(kFew, {});
  const double many = megabytes_of(kMany, {});
  const double growth = (many - few) / (kMany - kFew);
  EXPECT_LT(many + growth * (10'000 - kMany), 1000)
      << few << " MB for " << kFew << " streams, " << many << " MB for " << kMany;
}

TEST_F(FeaturesMemoryTest, DecodingKeepsThePicturesOfTwoStreamsAlone) {
  if (!has_stream_) GTEST_SKIP() << "SKIPPED: no ffmpeg with libx264";
  const double few = megabytes_of(20, {"--decode"});
  const double many = megabytes_of(200, {"--decode"});
  // A picture of CIF is 0.15 MB.
  EXPECT_LT(many - few, 20) << few << " MB for 20 streams, " << many << " MB for 200";
}

}  // namespace
}  // namespace millrace::end_to_end
