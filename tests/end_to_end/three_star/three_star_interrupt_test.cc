// SPDX-License-Identifier: Apache-2.0

// Ctrl-C while a thousand million 3-stars are found and written.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <algorithm>
#include <csignal>
#include <string>

namespace millrace::end_to_end {
namespace {

class ThreeStarInterruptTest : public EndToEndTest {
 protected:
  bool has_begun() const {
    const auto all = names();
    return std::any_of(all.begin(), all.end(), [](const std::string& name) {
      return std::filesystem::path(name).extension() == ".part";
    });
  }

  Finished run_and_send(int signal) {
    MillraceProcess process(folder_, {"three-star", "--random", "100000", "--radius", "50", "-o",
                                      "out", "--force", "--device", "tbb"});
    process.wait_until([&] { return has_begun(); });
    process.send_signal(signal);
    return process.wait();
  }
};

TEST_F(ThreeStarInterruptTest, LeavesTheFolderAsItWas) {
  put("out", "mine");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto before = names();
    const Finished finished = run_and_send(signal);
    EXPECT_EQ(finished.exit_status, 128 + signal);
    EXPECT_EQ(finished.err, "millrace: " + interruption(signal) + "; nothing was written\n");
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(names(), before);
    EXPECT_EQ(bytes("out"), "mine");
  }
}

TEST_F(ThreeStarInterruptTest, EndsTheWritingOfSortedLines) {
  MillraceProcess process(folder_, {"three-star", "--random", "20000", "--radius", "50", "-o",
                                    "out", "--sorted", "--device", "tbb"});
  const auto is_writing = [&] {
    const auto all = names();
    return std::any_of(all.begin(), all.end(), [&](const std::string& name) {
      std::error_code gone;
      const auto bytes = std::filesystem::file_size(path(name), gone);
      return !gone && bytes > 1'000'000;
    });
  };
  process.wait_until(is_writing);
  process.send_signal(SIGINT);
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_status, 128 + SIGINT);
  EXPECT_EQ(finished.err, "millrace: interrupted; nothing was written\n");
  EXPECT_TRUE(names().empty());
}

TEST_F(ThreeStarInterruptTest, EndsASearchThatOnlyCounts) {
  MillraceProcess process(folder_, {"three-star", "--random", "1000000", "--radius", "50",
                                    "--no-hash", "--json", "report", "--device", "tbb"});
  process.wait_until([&] { return has_begun(); });
  process.send_signal(SIGINT);
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_status, 128 + SIGINT);
  EXPECT_EQ(finished.err, "millrace: interrupted; nothing was written\n");
  EXPECT_TRUE(names().empty());
}

// Returns groups of three clusters at the corners of obtuse triangles: one relay joins three
// sensors of a group in millions of ways, none of which is a 3-star.
std::string obtuse_clusters() {
  std::string points;
  for (int i = 0; i < 18'000; ++i) {
    const int group = i / 600;
    const int cluster = i % 3;
    const int x = group * 1'000'000 + cluster * 95'000 + i % 37 * 100;
    const int y = (cluster == 1 ? 45'000 : 0) + i % 41 * 100;
    points += std::to_string(x) + ',' + std::to_string(y) + '\n';
  }
  return points;
}

TEST_F(ThreeStarInterruptTest, EndsThePlacementOfRelays) {
  put("points.csv", obtuse_clusters());
  const auto before = names();
  MillraceProcess process(
      folder_, {"three-star", "points.csv", "--radius", "100000", "-o", "all.3star", "--place",
                "--relays", "relays.csv", "--json", "report", "--device", "tbb"});
  // The search has ended when the file of 3-stars has.
  const auto is_placing = [&] {
    const auto all = names();
    return std::any_of(all.begin(), all.end(), [&](const std::string& name) {
      return std::filesystem::path(name).extension() == ".part" &&
             bytes(name).find("3SE1") != std::string::npos;
    });
  };
  process.wait_until(is_placing);
  process.send_signal(SIGINT);
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_status, 128 + SIGINT);
  EXPECT_EQ(finished.err, "millrace: interrupted; nothing was written\n");
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(names(), before);
}

}  // namespace
}  // namespace millrace::end_to_end
