// SPDX-License-Identifier: Apache-2.0

// Ctrl-C in the middle of a clip that would take hours.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <csignal>
#include <regex>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

class MeInterruptTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    write_black_raw(path("long.yuv"), {.frames = 10'000'000});
  }

  // Returns true if the command has written some frames of a file that is not complete.
  bool has_written() const {
    constexpr std::uintmax_t kSome = 1 << 20;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      std::error_code gone;
      if (entry.path().extension() != ".part") continue;
      if (fs::file_size(entry, gone) >= kSome && !gone) return true;
    }
    return false;
  }
};

TEST_F(MeInterruptTest, LeavesCompleteFramesAndSaysHowMany) {
  MillraceProcess process(
      folder_,
      {"me", "long.yuv", "--size", "64x48", "--range", "8", "--precision", "integer", "--device",
       "tbb", "-o", "vectors.csv", "--overlay", "vectors.y4m", "--json", "result.json"});
  process.wait_until([&] { return has_written(); });
  process.send_signal(SIGINT);
  const Finished finished = process.wait();

  EXPECT_EQ(finished.exit_status, 128 + SIGINT);
  std::smatch said;
  ASSERT_TRUE(
      std::regex_match(finished.err, said,
                       std::regex("millrace: interrupted; ([0-9]+) frames complete and written\n")))
      << finished.err;
  const std::size_t frames = std::stoul(said[1]);
  EXPECT_GE(frames, 3U);
  EXPECT_EQ(read_y4m(path("vectors.y4m")).frames.size(), frames);
  EXPECT_EQ(nlohmann::json::parse(bytes("result.json")).at("frames"), frames);
  const std::string last = "\n" + std::to_string(frames - 1) + ",3,2,4x4,15,0,0,";
  const std::string table = bytes("vectors.csv");
  EXPECT_NE(table.rfind(last), table.npos);
  EXPECT_EQ(names(),
            (std::set<std::string>{"long.yuv", "vectors.csv", "vectors.y4m", "result.json"}));
}

}  // namespace
}  // namespace millrace::end_to_end
