// SPDX-License-Identifier: Apache-2.0

// Reads real clips to their end, and cut and damaged copies of them.
#include <millrace/runtime/core/error.h>
#include <millrace/tests/test_data/test_data.h>
#include <millrace/tools/video/video_reader.h>

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace millrace::tools {
namespace {

using test_data::find;

class RealClipsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!test_data::is_there()) GTEST_SKIP() << "SKIPPED: no MILLRACE_TEST_DATA";
  }
};

int count_frames(const std::string& path, int threads = 0) {
  VideoReader reader(path, {.threads = threads});
  Picture picture;
  int frames = 0;
  while (reader.next(picture)) ++frames;
  return frames;
}

std::string error_of(const std::string& path, int threads = 0) {
  try {
    count_frames(path, threads);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string read_file(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

std::string put(const std::string& name, const std::string& bytes) {
  const std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

// Counts of `ffprobe -count_frames` 5.1.
TEST_F(RealClipsTest, GiveEveryFrame) {
  const std::map<std::string, int> expected = {{"cockatoo_720p20", 280}, {"dog_1080p30", 41},
                                               {"flower_960x540", 150},  {"foreman_cif_", 2},
                                               {"foreman_qcif_", 3},     {"park_joy_420", 10},
                                               {"BA1_Sony_D", 17},       {"FRExt3_Panasonic", 11},
                                               {"Freh12_B", 100},        {"HPCV_BRCM_A", 300}};
  for (const auto& [name, frames] : expected) {
    const std::string path = find(name);
    if (path.empty()) continue;
    EXPECT_EQ(count_frames(path), frames) << path;
  }
}

TEST_F(RealClipsTest, ACutMp4IsNotAShorterOne) {
  const std::string clip = find("dog_1080p30");
  if (clip.empty()) GTEST_SKIP() << "SKIPPED: no dog_1080p30 clip";
  const std::string cut = put("cut.mp4", read_file(clip).substr(0, 2'000'000));
  EXPECT_EQ(error_of(cut), cut + ": truncated at frame 28: 942343 bytes are missing");
}

TEST_F(RealClipsTest, AnMp4CutBeforeItsIndexIsTruncated) {
  const std::string clip = find("cockatoo_720p20");
  if (clip.empty()) GTEST_SKIP() << "SKIPPED: no cockatoo_720p20 clip";
  const std::string cut = put("cut.mp4", read_file(clip).substr(0, 400'000));
  EXPECT_TRUE(error_of(cut).starts_with(cut + ": truncated: ")) << error_of(cut);
}

TEST_F(RealClipsTest, ACutStreamIsDamaged) {
  const std::string clip = find("BA_MW_D");
  if (clip.empty()) GTEST_SKIP() << "SKIPPED: no BA_MW_D stream";
  const std::string cut = put("cut.264", read_file(clip).substr(0, 30'000));
  EXPECT_TRUE(error_of(cut).starts_with(cut + ": damaged at frame 54 ")) << error_of(cut);
}

TEST_F(RealClipsTest, OverwrittenBytesAreDamage) {
  const std::string clip = find("dog_1080p30");
  if (clip.empty()) GTEST_SKIP() << "SKIPPED: no dog_1080p30 clip";
  std::string bytes = read_file(clip);
  bytes.replace(bytes.size() / 2, 300, std::string(300, '\x5a'));
  const std::string damaged = put("damaged.mp4", bytes);
  EXPECT_TRUE(error_of(damaged).starts_with(damaged + ": damaged at frame ")) << error_of(damaged);
}

// Pictures of this clip are not in the order of their packets.
TEST_F(RealClipsTest, ThreadsNameTheFrameThatOneThreadNames) {
  const std::string clip = find("flower_960x540");
  if (clip.empty()) GTEST_SKIP() << "SKIPPED: no flower_960x540 clip";
  const std::string bytes = read_file(clip);
  for (const int tenth : {2, 3, 5, 8}) {
    std::string changed = bytes;
    changed.replace(bytes.size() * tenth / 10, 40, std::string(40, '\x5a'));
    const std::string damaged = put("damaged.mp4", changed);
    const std::string expected = error_of(damaged, 1);
    EXPECT_TRUE(expected.starts_with(damaged + ": damaged at frame ")) << expected;
    EXPECT_EQ(error_of(damaged, 8), expected);
  }
}

}  // namespace
}  // namespace millrace::tools
