// SPDX-License-Identifier: Apache-2.0

// Files of `millrace me` that exist already, and files that cannot be completed.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <unistd.h>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

class MeOutputsTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    write_y4m(path("clip.y4m"), {.width = 32, .height = 32});
    fs::create_directory(path("out"));
  }

  Finished run_me(const std::vector<std::string>& arguments,
                  const ProcessOptions& options = {}) const {
    std::vector<std::string> all = {"me", "clip.y4m", "--range", "8"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run(all, options);
  }

  std::set<std::string> pictures() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(path("out"))) {
      found.insert(entry.path().filename());
    }
    return found;
  }
};

TEST_F(MeOutputsTest, ForceReplacesAll) {
  for (const char* name : {"v.bin", "v.y4m", "v.json"}) put(name, "mine");
  const Finished finished =
      run_me({"-o", "v.bin", "--overlay", "v.y4m", "--json", "v.json", "--force"});
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_TRUE(bytes("v.bin").starts_with("MRMOTION"));
  EXPECT_EQ(read_y4m(path("v.y4m")).frames.size(), 5U);
  EXPECT_EQ(nlohmann::json::parse(bytes("v.json")).at("frames"), 5);
}

// Names that are like those of pictures are others' files.
TEST_F(MeOutputsTest, ForceLeavesNoPicturesOfALongerRunBefore) {
  EXPECT_EQ(run_me({"--overlay", "out/v.png"}).exit_status, 0);
  for (const char* name :
       {"v-00005.txt", "v-5.png", "v-000007.png", "vv-00007.png", "v-a0007.png"}) {
    put(std::string("out/") + name, "mine");
  }
  put("out/v-123456.png", "of a very long run");
  fs::create_directory(path("out/v-00008.png"));
  const Finished finished = run_me({"--overlay", "out/v.png", "--frames", "2", "--force"});
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_EQ(pictures(),
            (std::set<std::string>{"v-00000.png", "v-00001.png", "v-00005.txt", "v-00008.png",
                                   "v-5.png", "v-000007.png", "vv-00007.png", "v-a0007.png"}));
}

TEST_F(MeOutputsTest, AFailureInTheMiddleReplacesNothing) {
  fs::resize_file(path("clip.y4m"), fs::file_size(path("clip.y4m")) - 1000);
  for (const char* name : {"v.csv", "v.json", "out/v-00000.png", "out/v-00009.png"}) {
    put(name, "mine");
  }
  const auto before = names();
  expect_rejected(run_me({"--frames", "5", "--force", "-o", "v.csv", "--json", "v.json",
                          "--overlay", "out/v.png"}),
                  "clip.y4m: truncated at frame 4");
  for (const char* name : {"v.csv", "v.json", "out/v-00000.png", "out/v-00009.png"}) {
    EXPECT_EQ(bytes(name), "mine");
  }
  EXPECT_EQ(names(), before);
  EXPECT_EQ(pictures(), (std::set<std::string>{"v-00000.png", "v-00009.png"}));
}

TEST_F(MeOutputsTest, AFullDiskBehindStandardOutputIsAnError) {
  expect_rejected(run_me({}, {.out_path = "/dev/full"}), "standard output cannot be written");
}

TEST_F(MeOutputsTest, AReadOnlyFolderIsAnError) {
  if (geteuid() == 0) GTEST_SKIP() << "SKIPPED: root may write everywhere";
  fs::permissions(path("out"), fs::perms::owner_read | fs::perms::owner_exec);
  expect_rejected(run_me({"-o", "out/v.csv"}), "out/v.csv: cannot be written: Permission denied");
  expect_rejected(run_me({"--overlay", "out/v.png"}),
                  "out/v-00000.png: cannot be written: Permission denied");
}

}  // namespace
}  // namespace millrace::end_to_end
