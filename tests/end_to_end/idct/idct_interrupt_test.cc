// SPDX-License-Identifier: Apache-2.0

// Ctrl-C in the middle of a clip that would take hours.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <algorithm>
#include <csignal>
#include <regex>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

class IdctInterruptTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    write_black_raw(path("long.yuv"), clip_);
  }

  // Returns true if the command has written so much of a file that is not complete.
  bool is_written(std::int64_t bytes) const {
    for (const auto& entry : fs::directory_iterator(folder_)) {
      std::error_code gone;
      if (entry.path().extension() != ".part") continue;
      if (static_cast<std::int64_t>(fs::file_size(entry, gone)) >= bytes && !gone) return true;
    }
    return false;
  }

  Finished run_and_send(int signal, const ProcessOptions& options = {}) {
    MillraceProcess process(
        folder_, {"idct", "long.yuv", "--size", "320x240", "--json", "result.json"}, options);
    process.wait_until([&] { return is_written(3 * frame_bytes(clip_)); });
    process.send_signal(signal);
    return process.wait();
  }

  const Clip clip_ = {.width = 320, .height = 240, .frames = 1'000'000};
};

TEST_F(IdctInterruptTest, LeavesCompleteFramesAndSaysHowMany) {
  const Finished finished = run_and_send(SIGINT);
  EXPECT_EQ(finished.exit_status, 128 + SIGINT);
  std::smatch said;
  ASSERT_TRUE(
      std::regex_match(finished.err, said,
                       std::regex("millrace: interrupted; ([0-9]+) frames complete and written\n")))
      << finished.err;
  const std::size_t frames = std::stoul(said[1]);
  EXPECT_GE(frames, 3U);

  EXPECT_EQ(read_y4m(path("long-idct.y4m")).frames.size(), frames);
  const std::string csv = bytes("long-idct.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + static_cast<std::ptrdiff_t>(frames));
  EXPECT_EQ(nlohmann::json::parse(bytes("result.json")).at("frames"), frames);
  EXPECT_EQ(names(),
            (std::set<std::string>{"long.yuv", "long-idct.csv", "long-idct.y4m", "result.json"}));
}

TEST_F(IdctInterruptTest, ATerminationRequestDoesTheSame) {
  const Finished finished = run_and_send(SIGTERM);
  EXPECT_EQ(finished.exit_status, 128 + SIGTERM);
  EXPECT_TRUE(finished.err.starts_with("millrace: interrupted by SIGTERM; ")) << finished.err;
  EXPECT_GE(read_y4m(path("long-idct.y4m")).frames.size(), 3U);
}

TEST_F(IdctInterruptTest, ItsWordsAreNotOnTheLineOfTheProgressBar) {
  if (!has_terminals()) GTEST_SKIP() << "there are no terminals here";
  const Finished finished = run_and_send(SIGINT, {.err_terminal = true});
  EXPECT_NE(finished.err.find("\nmillrace: interrupted; "), finished.err.npos) << finished.err;
}

}  // namespace
}  // namespace millrace::end_to_end
