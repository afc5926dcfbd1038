// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/sample_streams.h>
#include <millrace/tools/files/test_folder.h>
#include <millrace/tools/video/made_clips.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::tools {
namespace {

class SampleStreams : public TestFolder {
 protected:
  static StreamLoad load_of(const std::vector<StreamName>& names) {
    return sample_streams(names, bytes_of_streams(names), {});
  }
};

TEST_F(SampleStreams, CountsStreamsAndBytesAndMeasuresPictures) {
  const std::string small = h264_bytes({.frames = 3, .key = 3});
  const std::string large = h264_bytes({.frames = 9, .key = 3});
  const StreamLoad load = load_of({{put("small.264", small)}, {put("large.264", large)}});
  const auto bytes = static_cast<double>(small.size() + large.size());
  EXPECT_EQ(load.streams, 2);
  EXPECT_EQ(load.bytes, bytes);
  EXPECT_EQ(load.longest_bytes, static_cast<double>(large.size()));
  EXPECT_DOUBLE_EQ(load.picture_bytes, bytes / 12);
  EXPECT_GT(load.core_seconds_a_byte, 0);
}

TEST_F(SampleStreams, SamplesSomeOfManyFiles) {
  const std::string bytes = h264_bytes({.frames = 2, .key = 3});
  std::vector<StreamName> names;
  for (int i = 0; i < 40; ++i) names.push_back({put(std::to_string(i) + ".264", bytes), false});
  const StreamLoad load = load_of(names);
  EXPECT_EQ(load.streams, 40);
  EXPECT_EQ(load.bytes, 40.0 * static_cast<double>(bytes.size()));
  EXPECT_DOUBLE_EQ(load.picture_bytes, static_cast<double>(bytes.size()) / 2);
}

TEST_F(SampleStreams, LeavesOutWhatIsNoStream) {
  const std::string bytes = h264_bytes({.frames = 2, .key = 3});
  const StreamLoad load =
      load_of({{put("a.264", bytes)}, {put("notes.txt", "no stream\n")}, {path("missing.264")}});
  EXPECT_EQ(load.streams, 3);
  EXPECT_DOUBLE_EQ(load.picture_bytes, static_cast<double>(bytes.size()) / 2);
  const StreamLoad nothing = load_of({{put("other.txt", "no stream\n")}});
  EXPECT_EQ(nothing.core_seconds_a_byte, 0);
}

TEST_F(SampleStreams, SortsByBytesTheLargestFirst) {
  std::vector<StreamName> names = {{put("a", "1")},
                                   {put("b", "123")},
                                   {path("missing")},
                                   {put("d", "456"), true},
                                   {put("e", "12345")}};
  sort_by_bytes(names, bytes_of_streams(names));
  std::vector<std::string> sorted;
  for (const StreamName& name : names) sorted.push_back(name.path);
  EXPECT_THAT(sorted,
              testing::ElementsAre(path("e"), path("b"), path("d"), path("a"), path("missing")));
  EXPECT_TRUE(names[2].is_of_folder);
}

}  // namespace
}  // namespace millrace::tools
