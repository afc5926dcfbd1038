// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/decoder/h264_headers.h>
#include <millrace/tools/video/made_clips.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

// The units of a byte stream, without start codes.
std::vector<std::string> units_of(const std::string& stream) {
  const std::string start("\0\0\0\1", 4);
  std::vector<std::string> units;
  for (std::size_t position = 0; position < stream.size();) {
    const std::size_t begin = position + start.size();
    position = std::min(stream.find(start, begin), stream.size());
    units.push_back(stream.substr(begin, position - begin));
  }
  return units;
}

TEST(H264HeadersTest, ReadsFrameNumbersOfAByteStream) {
  const std::vector<std::string> units = units_of(h264_bytes({.frames = 10}));
  ASSERT_EQ(units.size(), 2U + 10);
  const std::string start("\0\0\1", 3);
  H264Headers headers(bytes_of(start + units[0] + start + units[1]));
  for (int frame = 0; frame < 10; ++frame) {
    const auto picture = headers.read(bytes_of(start + units[2 + frame]));
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->frame_num, frame % 8);
    EXPECT_EQ(picture->max_frame_num, 16);
    EXPECT_EQ(picture->is_idr, frame % 8 == 0);
    EXPECT_TRUE(picture->is_reference);
    EXPECT_FALSE(picture->is_field);
    EXPECT_FALSE(picture->allows_gaps);
  }
}

TEST(H264HeadersTest, ReadsUnitsBehindTheirLength) {
  const std::vector<std::string> units = units_of(h264_bytes({.frames = 2, .allows_gaps = true}));
  const auto behind_length = [](const std::string& unit) {
    return std::string() + static_cast<char>(unit.size() >> 8) + static_cast<char>(unit.size()) +
           unit;
  };
  const std::string record = std::string("\1\x42\0\x1e\xfd\xe1", 6) + behind_length(units[0]) +
                             '\1' + behind_length(units[1]);
  H264Headers headers(bytes_of(record));
  const auto picture = headers.read(bytes_of(behind_length(units[3])));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->frame_num, 1);
  EXPECT_TRUE(picture->allows_gaps);
}

TEST(H264HeadersTest, ReadsNothingWithoutParameterSets) {
  const std::vector<std::string> units = units_of(h264_bytes({.frames = 1}));
  H264Headers headers({});
  EXPECT_FALSE(headers.read(bytes_of(std::string("\0\0\1", 3) + units[2])));
  EXPECT_FALSE(headers.read({}));
}

// Exp-Golomb (9.1): the bits of `value` + 1 behind one zero less than they are.
std::string code_of(std::uint64_t value) {
  std::string bits;
  for (std::uint64_t rest = value + 1; rest > 0; rest /= 2) {
    bits.insert(bits.begin(), rest % 2 != 0 ? '1' : '0');
  }
  return std::string(bits.size() - 1, '0') + bits;
}

TEST(H264HeadersTest, LeavesOutSetsOfTooManyFrameNumberBits) {
  const std::string start("\0\0\1", 3);
  const std::vector<std::string> units = units_of(h264_bytes({.frames = 1}));
  const struct {
    std::uint64_t more_bits;
    int max_frame_num;  // 0 where the set is left out.
  } kCases[] = {{0, 1 << 4},           {12, 1 << 16},         {13, 0},
                {(1ULL << 31) - 5, 0}, {(1ULL << 31) - 4, 0}, {(1ULL << 31) - 1, 0},
                {(1ULL << 32) - 2, 0}};
  for (const auto& [more_bits, max_frame_num] : kCases) {
    // Set 0; picture order of type 2; one reference; no gaps; 2x2 macroblocks; frames only.
    std::string bits;
    for (const std::string& code :
         {code_of(0), code_of(more_bits), code_of(2), code_of(1), std::string("0"), code_of(1),
          code_of(1), std::string(65, '1')}) {
      bits += code;
    }
    std::string set("\x67\x42\0\x1e", 4);
    for (std::size_t i = 0; i + 8 <= bits.size(); i += 8) {
      set += static_cast<char>(std::stoi(bits.substr(i, 8), nullptr, 2));
    }
    std::string sets = start;
    sets.append(set).append(start).append(units[1]);
    H264Headers headers(bytes_of(sets));
    std::string slice = start;
    slice.append(units[2]).append(8, '\x55');
    const auto picture = headers.read(bytes_of(slice));
    EXPECT_EQ(picture ? picture->max_frame_num : 0, max_frame_num) << more_bits;
  }
}

TEST(H264HeadersTest, BytesThatAreNoStreamDoNoHarm) {
  for (int first = 0; first < 256; ++first) {
    std::string noise("\0\0\1", 3);
    for (int i = 0; i < 40; ++i) noise += static_cast<char>(first + i * i * 37);
    H264Headers headers(bytes_of(noise));
    headers.read(bytes_of(noise));
    noise[0] = '\1';
    H264Headers record(bytes_of(noise));
    record.read(bytes_of(noise.substr(1)));
  }
}

}  // namespace
}  // namespace millrace::tools
