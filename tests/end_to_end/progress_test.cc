// SPDX-License-Identifier: Apache-2.0

// The progress bar is for people: it appears on a terminal only.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tools/video/made_clips.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

using ProgressTest = EndToEndTest;

bool has_bar(const std::string& text) {
  return text.find("100%") != text.npos && text.find("**********") != text.npos;
}

TEST_F(ProgressTest, ATerminalShowsABar) {
  if (!has_terminals()) GTEST_SKIP() << "there are no terminals here";
  write_y4m(path("clip.y4m"), {.frames = 20});
  const Finished finished = run({"idct", "clip.y4m"}, {.err_terminal = true});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_TRUE(has_bar(finished.err)) << finished.err;
  EXPECT_TRUE(finished.err.ends_with('\n'));
  EXPECT_FALSE(has_bar(finished.out));
}

TEST_F(ProgressTest, AFileGetsNone) {
  write_y4m(path("clip.y4m"), {.frames = 20});
  EXPECT_EQ(run({"idct", "clip.y4m"}).err, "");
}

TEST_F(ProgressTest, AClipOfTwoFramesHasNone) {
  if (!has_terminals()) GTEST_SKIP() << "there are no terminals here";
  write_y4m(path("clip.y4m"), {.frames = 20});
  EXPECT_EQ(run({"idct", "clip.y4m", "--frames", "2"}, {.err_terminal = true}).err, "");
}

TEST_F(ProgressTest, AnErrorHasItsOwnLine) {
  if (!has_terminals()) GTEST_SKIP() << "there are no terminals here";
  write_y4m(path("clip.y4m"), {.frames = 20});
  std::filesystem::resize_file(path("clip.y4m"), 10 * frame_bytes({}));
  const Finished finished = run({"idct", "clip.y4m", "--frames", "19"}, {.err_terminal = true});
  EXPECT_EQ(finished.exit_status, 2);
  EXPECT_NE(finished.err.find("\nmillrace: clip.y4m: truncated"), finished.err.npos)
      << finished.err;
}

// Streams that fail count as well, so the bar is complete.
TEST_F(ProgressTest, FeaturesCountsStreams) {
  if (!has_terminals()) GTEST_SKIP() << "there are no terminals here";
  std::vector<std::string> arguments = {"features", "missing.264", "-o", "all.ldjson"};
  for (const char* const name : {"a.264", "b.264", "c.264", "d.264"}) {
    put(name, tools::h264_bytes({.frames = 3}));
    arguments.emplace_back(name);
  }
  const Finished finished = run(arguments, {.err_terminal = true});
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_TRUE(has_bar(finished.err)) << finished.err;
  constexpr int kWholeBar = 51;  // One for each 2 %, and the first.
  EXPECT_EQ(std::ranges::count(finished.err, '*'), kWholeBar) << finished.err;
  EXPECT_FALSE(has_bar(finished.out));
}

TEST_F(ProgressTest, FeaturesOfOneStreamOrInAFileHasNone) {
  put("a.264", tools::h264_bytes({.frames = 3}));
  const std::vector<std::string> one = {"features", "a.264", "-o", "one.ldjson"};
  EXPECT_EQ(run({"features", "a.264", "a.264", "a.264", "a.264", "-o", "four.ldjson"}).err, "");
  if (!has_terminals()) GTEST_SKIP() << "there are no terminals here";
  EXPECT_EQ(run(one, {.err_terminal = true}).err, "");
}

}  // namespace
}  // namespace millrace::end_to_end
