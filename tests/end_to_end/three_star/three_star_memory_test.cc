// SPDX-License-Identifier: Apache-2.0

// However many 3-stars there are, memory does not grow with them.
#include <millrace/runtime/host/host_cores.h>
#include <millrace/tests/end_to_end/end_to_end_test.h>

namespace millrace::end_to_end {
namespace {

constexpr double kMegabyte = 1e6;

class ThreeStarMemoryTest : public EndToEndTest {
 protected:
  // 18 million 3-stars, three numbers of 4 bytes each.
  static constexpr double kMegabytesOfAll = 218;

  double megabytes_of(const std::vector<std::string>& more, const std::string& points = "25600",
                      double of_all = kMegabytesOfAll) {
    std::vector<std::string> all = {"three-star", "--random", points,   "--radius",    "50",
                                    "--device",   "tbb",      "--json", "report.json", "--force"};
    all.insert(all.end(), more.begin(), more.end());
    const Finished finished = run(all);
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    const auto report = nlohmann::json::parse(bytes("report.json"));
    EXPECT_GT(12 * report["three_stars"].get<double>(), of_all * kMegabyte);
    return static_cast<double>(finished.peak_bytes) / kMegabyte;
  }
};

TEST_F(ThreeStarMemoryTest, HashingTakesLessThanHalfOfAll) {
  EXPECT_LT(megabytes_of({}), kMegabytesOfAll / 2);
}

TEST_F(ThreeStarMemoryTest, AFileTakesLessThanHalfOfAll) {
  EXPECT_LT(megabytes_of({"-o", "all.3star"}), kMegabytesOfAll / 2);
  EXPECT_LT(static_cast<double>(bytes("all.3star").size()), kMegabytesOfAll / 4 * kMegabyte);
  EXPECT_LT(megabytes_of({"-o", "/dev/null"}), kMegabytesOfAll / 2);
}

// Sorting takes 16 bytes for each, half of its 600 MiB at a time: all of these would take 570 MB.
// Each thread has some memory of its own.
TEST_F(ThreeStarMemoryTest, SortedLinesStayWithinTheirBound) {
  const double most = 450 + 1.5 * host_cores().usable;
  EXPECT_LT(megabytes_of({"-o", "/dev/null", "--sorted"}, "32000", 425), most);
}

}  // namespace
}  // namespace millrace::end_to_end
