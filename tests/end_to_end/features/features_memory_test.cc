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
    write_y4m(path("cif.y4m"), {.width = 352, .height = 288, .frames = 3});
    const Finished encoded =
        run({"encode", "cif.y4m", "-o", "cif.264", "--search", "hexagon", "--qp", "36"});
    ASSERT_EQ(encoded.exit_status, 0) << encoded.err;
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
};

// 10,000 streams of CIF are to stay under 1 GB. The test has fewer, which take some seconds, and
// extends their growth in a line.
TEST_F(FeaturesMemoryTest, TenThousandStreamsStayUnderAGigabyte) {
  constexpr int kBase = 50;
  constexpr int kMost = 1000;
  const double base = megabytes_of(kBase, {});
  const double most = megabytes_of(kMost, {});
  const double growth = (most - base) / (kMost - kBase);
  EXPECT_LT(most + growth * (10'000 - kMost), 1000)
      << base << " MB for " << kBase << " streams, " << most << " MB for " << kMost;
}

TEST_F(FeaturesMemoryTest, DecodingKeepsThePicturesOfTwoStreamsAlone) {
  const double base = megabytes_of(20, {"--decode"});
  const double most = megabytes_of(200, {"--decode"});
  // A picture of CIF is 0.15 MB.
  EXPECT_LT(most - base, 20) << base << " MB for 20 streams, " << most << " MB for 200";
}

}  // namespace
}  // namespace millrace::end_to_end
