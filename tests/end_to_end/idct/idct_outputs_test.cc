// SPDX-License-Identifier: Apache-2.0

// Files that exist already, and files that cannot be completed.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <unistd.h>

namespace millrace::end_to_end {
namespace {

class IdctOutputsTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    write_y4m(path("clip.y4m"), {});
  }

  // Each of them alone keeps the run from starting.
  void expect_kept(const std::string& name) {
    put(name, "mine");
    const auto before = names();
    expect_rejected(run({"idct", "clip.y4m", "--json", "result.json"}),
                    name + ": exists already (--force replaces it)");
    EXPECT_EQ(bytes(name), "mine");
    EXPECT_EQ(names(), before);
  }
};

TEST_F(IdctOutputsTest, AnExistingCsvIsKept) { expect_kept("clip-idct.csv"); }

TEST_F(IdctOutputsTest, AnExistingY4mIsKept) { expect_kept("clip-idct.y4m"); }

TEST_F(IdctOutputsTest, AnExistingJsonIsKept) { expect_kept("result.json"); }

TEST_F(IdctOutputsTest, ForceReplacesAll) {
  for (const char* name : {"clip-idct.csv", "clip-idct.y4m", "result.json"}) put(name, "mine");
  EXPECT_EQ(run({"idct", "clip.y4m", "--json", "result.json", "--force"}).exit_status, 0);
  EXPECT_TRUE(bytes("clip-idct.csv").starts_with("frame,"));
  EXPECT_EQ(read_y4m(path("clip-idct.y4m")).frames.size(), 5U);
  EXPECT_EQ(nlohmann::json::parse(bytes("result.json")).at("frames"), 5);
}

// The clip would take hours; the test's time limit is the proof.
TEST_F(IdctOutputsTest, AnExistingFileIsFoundBeforeTheWork) {
  write_black_raw(path("long.yuv"), {.width = 1920, .height = 1080, .frames = 100'000});
  put("long-idct.y4m", "mine");
  expect_rejected(run({"idct", "long.yuv", "--size", "1920x1080"}),
                  "long-idct.y4m: exists already");
}

TEST_F(IdctOutputsTest, AFailureInTheMiddleReplacesNothing) {
  std::filesystem::resize_file(path("clip.y4m"),
                               std::filesystem::file_size(path("clip.y4m")) - 1000);
  put("clip-idct.csv", "mine");
  put("clip-idct.y4m", "mine");
  const auto before = names();
  expect_rejected(run({"idct", "clip.y4m", "--frames", "5", "--force"}), "truncated at frame 4");
  EXPECT_EQ(bytes("clip-idct.csv"), "mine");
  EXPECT_EQ(bytes("clip-idct.y4m"), "mine");
  EXPECT_EQ(names(), before);
}

TEST_F(IdctOutputsTest, AFullDiskBehindStandardOutputIsAnError) {
  expect_rejected(run({"idct", "clip.y4m"}, {.out_path = "/dev/full"}),
                  "standard output cannot be written");
}

TEST_F(IdctOutputsTest, AFullDiskBehindJsonIsAnErrorAndLeavesNoOtherFile) {
  const auto before = names();
  expect_rejected(run({"idct", "clip.y4m", "--json", "/dev/full"}),
                  "/dev/full: cannot be written: No space left on device");
  EXPECT_EQ(names(), before);
}

TEST_F(IdctOutputsTest, AReadOnlyFolderIsAnError) {
  if (geteuid() == 0) GTEST_SKIP() << "SKIPPED: root may write everywhere";
  std::filesystem::create_directory(path("out"));
  std::filesystem::permissions(
      path("out"), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  expect_rejected(run({"idct", "clip.y4m", "--out-dir", "out"}),
                  "out/clip-idct.csv: cannot be written: Permission denied");
}

}  // namespace
}  // namespace millrace::end_to_end
