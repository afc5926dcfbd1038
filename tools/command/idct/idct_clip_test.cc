// SPDX-License-Identifier: Apache-2.0

// Clips that ranks take together, and copies of one that differ.
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tools/command/clip/clip_frames.h>
#include <millrace/tools/command/idct/idct_clip.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

class IdctClipTest : public testing::Test {
 protected:
  ~IdctClipTest() override {
    for (const std::string& path : paths_) std::filesystem::remove(path);
  }

  std::string clip(int width, int height, int frames) {
    std::string path = testing::TempDir() + "idct_clip_test" + std::to_string(paths_.size());
    path += ".y4m";
    std::ofstream file(path, std::ios::binary);
    file << "YUV4MPEG2 W" << width << " H" << height << " F25:1 C420jpeg\n";
    for (int frame = 0; frame < frames; ++frame) {
      file << "FRAME\n";
      for (int i = 0; i < width * height * 3 / 2; ++i) file.put(static_cast<char>(7 * i + frame));
    }
    paths_.push_back(path);
    return path;
  }

  // Returns the errors of two ranks, rank 0 first, "" for none; rank i reads clips[i].
  std::vector<std::string> problems(const std::vector<std::string>& clips) {
    taken_ = 0;
    std::vector<std::string> problems;
    for (const std::exception_ptr& error : catch_ranks(2, [&](Communicator& communicator) {
           VideoReader reader(clips[static_cast<std::size_t>(communicator.rank())]);
           std::vector<DeviceGroup> groups;
           groups.push_back(open_device_group(conformance::some_device_name()));
           const IdctClipOptions options = {.path = "the clip", .policies = {Policy::kUberkernel}};
           const IdctClipResult result =
               process_clip(communicator, options, std::move(groups), reader, interrupt_,
                            [&](const PictureFeatures&, const Picture&) { ++taken_; });
           results_[communicator.rank()] = result;
         })) {
      try {
        if (error) std::rethrow_exception(error);
        problems.emplace_back();
      } catch (const Error& thrown) {
        problems.emplace_back(thrown.what());
      }
    }
    return problems;
  }

  const InterruptGuard interrupt_;  // There is one in a process.
  int taken_ = 0;
  IdctClipResult results_[2];

 private:
  std::vector<std::string> paths_;
};

TEST_F(IdctClipTest, IsTakenByAllRanks) {
  const std::string path = clip(64, 96, 3);
  EXPECT_EQ(problems({path, path}), (std::vector<std::string>{"", ""}));
  EXPECT_EQ(taken_, 3);
}

TEST_F(IdctClipTest, HasTheRatesOfAllRanks) {
  const std::string path = clip(64, 96, 3);
  EXPECT_EQ(problems({path, path}), (std::vector<std::string>{"", ""}));
  const IdctRun& run = results_[0].runs.at(0);
  EXPECT_EQ(run.macroblocks, results_[0].luma.macroblocks);
  EXPECT_EQ(run.macroblocks, 3U * (64 / 16) * (96 / 16));
  EXPECT_GT(run.copy_bytes_per_second, 0);
  EXPECT_EQ(run.copy_bytes_per_second, results_[1].runs.at(0).copy_bytes_per_second);
}

TEST_F(IdctClipTest, SaysWhatRanWhereRank0HasNoRows) {
  const std::string path = clip(64, 16, 3);
  EXPECT_EQ(problems({path, path}), (std::vector<std::string>{"", ""}));
  EXPECT_EQ(taken_, 3);
  const IdctRun& run = results_[0].runs.at(0);
  EXPECT_EQ(run.macroblocks, 3U * (64 / 16));
  EXPECT_EQ(run.ran, Policy::kUberkernel);
}

TEST_F(IdctClipTest, OfAnotherSizeOnARankIsRejected) {
  const std::string path = clip(64, 96, 3);
  for (const auto& [width, height] : {std::pair(32, 96), std::pair(64, 64), std::pair(96, 96)}) {
    for (const std::string& problem : problems({path, clip(width, height, 3)})) {
      EXPECT_THAT(problem, HasSubstr("a band of ")) << width << " x " << height;
    }
    EXPECT_EQ(taken_, 0);
  }
}

TEST_F(IdctClipTest, ThatEndsEarlyOnARankIsRejected) {
  const std::string path = clip(64, 96, 20);
  const std::string shorter = clip(64, 96, 2);
  for (const std::string& problem : problems({path, shorter})) {
    EXPECT_EQ(
        problem,
        "the clip: ends after 2 frames on rank 1, and has more on rank 0; give all the same clip");
  }
  for (const std::string& problem : problems({shorter, path})) {
    EXPECT_EQ(
        problem,
        "the clip: ends after 2 frames on rank 0, and has more on rank 1; give all the same clip");
  }
}

TEST_F(IdctClipTest, IsComparedBeforeItIsRead) {
  const std::vector<std::string> clips = {clip(64, 96, 1), clip(64, 64, 1)};
  for (const std::exception_ptr& error : catch_ranks(2, [&](Communicator& communicator) {
         const VideoReader reader(clips[static_cast<std::size_t>(communicator.rank())]);
         compare_clips(communicator, "the clip", "", reader);
       })) {
    try {
      ASSERT_TRUE(error);
      std::rethrow_exception(error);
    } catch (const Error& thrown) {
      EXPECT_THAT(thrown.what(), HasSubstr("different values of the height of the clip"));
    }
  }
}

TEST_F(IdctClipTest, EndsWithASignalOnAllRanks) {
  std::raise(SIGTERM);
  const std::string path = clip(64, 96, 3);
  EXPECT_EQ(problems({path, path}), (std::vector<std::string>{"", ""}));
  EXPECT_EQ(results_[0].signal, SIGTERM);
  EXPECT_EQ(results_[1].signal, SIGTERM);
}

}  // namespace
}  // namespace millrace::tools
