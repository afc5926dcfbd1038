// SPDX-License-Identifier: Apache-2.0

// Vectors and QPs of streams are those that libavcodec exports as side data of their frames.
#include <millrace/runtime/core/error.h>
#include <millrace/tests/test_data/test_data.h>
#include <millrace/tools/benchmarks/workloads/h264/stream_work.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

// 12 frames of 64x64 luma samples, with P and B pictures (tests/test_data/BUILD).
constexpr char kStored[] = "tests/test_data/streams/testsrc2_64x64.264";

std::vector<std::uint8_t> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Returns the streams beside the checkout that have no losses (tests/test_data/test_data.h):
// "NAME MD5=SUM errs=0" in ffmpeg-decode-md5.txt.
std::vector<std::string> streams() {
  std::vector<std::string> paths = {kStored};
  const std::string list = test_data::find("ffmpeg-decode-md5");
  std::ifstream file(list);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, md5, errors;
    words >> name >> md5 >> errors;
    if (!md5.starts_with("MD5=") || errors != "errs=0") continue;
    paths.push_back((std::filesystem::path(list).parent_path() / name).string());
  }
  return paths;
}

class StreamDecisionsTest : public testing::TestWithParam<std::string> {};

TEST_P(StreamDecisionsTest, AreThoseOfLibavcodec) {
  const std::vector<std::uint8_t> stream = read_file(GetParam());
  ASSERT_FALSE(stream.empty()) << GetParam();
  const H264Peer peer(stream);
  EXPECT_NO_THROW(check_decisions(stream, peer));
}

INSTANTIATE_TEST_SUITE_P(, StreamDecisionsTest, testing::ValuesIn(streams()), [](const auto& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST(StreamDecisions, VectorsAndQpsAreCompared) {
  const std::vector<std::uint8_t> stream = read_file(kStored);
  const ComparedDecisions compared = check_decisions(stream, H264Peer(stream));
  EXPECT_EQ(compared.qps, 12 * 16);
  EXPECT_GT(compared.vectors, 12 * 16 / 2);
}

TEST(StreamDecisions, OtherStreamsHaveOthers) {
  const std::vector<std::uint8_t> stream = read_file(kStored);
  // Without its last picture, which is the NAL unit behind the last start code.
  const std::vector<std::uint8_t> code = {0, 0, 1};
  const auto last = std::find_end(stream.begin(), stream.end(), code.begin(), code.end());
  const std::vector<std::uint8_t> shorter(stream.begin(), last);
  EXPECT_THROW(check_decisions(stream, H264Peer(shorter)), Error);
}

}  // namespace
}  // namespace millrace::tools
