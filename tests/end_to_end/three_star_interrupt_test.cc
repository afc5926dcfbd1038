// Ctrl-C while a thousand million 3-stars are found and written.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

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
    while (process.is_running() && !has_begun()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    process.send_signal(signal);
    return process.wait();
  }
};

TEST_F(ThreeStarInterruptTest, LeavesTheFolderAsItWas) {
  put("out", "mine");
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto before = names();
    const Finished finished = run_and_send(signal);
    EXPECT_EQ(finished.exit_status, 128 + signal);
    EXPECT_EQ(finished.err, "millrace: interrupted; nothing was written\n");
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
  while (process.is_running() && !is_writing()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  process.send_signal(SIGINT);
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_status, 128 + SIGINT);
  EXPECT_EQ(finished.err, "millrace: interrupted; nothing was written\n");
  EXPECT_TRUE(names().empty());
}

TEST_F(ThreeStarInterruptTest, EndsASearchThatOnlyCounts) {
  MillraceProcess process(folder_, {"three-star", "--random", "1000000", "--radius", "50",
                                    "--no-hash", "--json", "report", "--device", "tbb"});
  while (process.is_running() && !has_begun()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  process.send_signal(SIGINT);
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_status, 128 + SIGINT);
  EXPECT_EQ(finished.err, "millrace: interrupted; nothing was written\n");
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace millrace::end_to_end
