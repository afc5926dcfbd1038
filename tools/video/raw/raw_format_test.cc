// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/raw/raw_format.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace millrace::tools {
namespace {

// The format that the name says, "none" or "rejected".
std::string said_by(const std::string& path) {
  try {
    const auto format = raw_format_from_name(path);
    return format ? format->name + (format->swaps_chroma ? " swapped" : "") : "none";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_TRUE(std::string(error.what()).starts_with(path + ": ")) << error.what();
    return "rejected";
  }
}

TEST(RawFormatTest, ReadsTheFormatInTheName) {
  const struct {
    const char* name;
    const char* format;
  } kCases[] = {
      {"clip_64x48.yuv", "none"},
      {"foreman_cif_352x288_2f_raw.yuv", "none"},
      {"BasketballDrive_1920x1080_50.yuv", "none"},
      {"take_10_64x48_25fps.yuv", "none"},
      {"park_720p50_1280x720_30p.yuv", "none"},
      {"422/clip_64x48.yuv", "none"},
      {"foreman_352x288_400.yuv", "none"},
      {"foreman_352x288_410.yuv", "none"},
      {"foreman_411_352x288.yuv", "none"},
      {"foreman_352x288_440.yuv", "none"},
      {"foreman_352x288_400_yuv420p.yuv", "yuv420p"},
      {"foreman_400_352x288_10bit.yuv", "yuv420p10le"},

      {"clip_64x48_yuv420p.yuv", "yuv420p"},
      {"clip_64x48_i420.yuv", "yuv420p"},
      {"clip_64x48_420.yuv", "yuv420p"},
      {"Bosphorus_1920x1080_120fps_420_8bit_YUV.yuv", "yuv420p"},
      {"clip_64x48_yv12.yuv", "yuv420p swapped"},
      {"clip_64x48.nv12", "nv12"},
      {"clip_64x48_NV21.yuv", "nv21"},

      {"clip_64x48_10bit.yuv", "yuv420p10le"},
      {"clip_64x48_10-bit.yuv", "yuv420p10le"},
      {"clip_64x48_10b.yuv", "yuv420p10le"},
      {"clip_64x48_10le.yuv", "yuv420p10le"},
      {"clip_64x48_10be.yuv", "yuv420p10be"},
      {"clip_64x48_p10.yuv", "yuv420p10le"},
      {"clip_64x48_12bits.yuv", "yuv420p12le"},
      {"clip_64x48_420p10.yuv", "yuv420p10le"},
      {"clip_64x48_yuv420p10.yuv", "yuv420p10le"},
      {"clip_64x48_yuv420p10le.yuv", "yuv420p10le"},
      {"clip_64x48_YUV420_10bit.yuv", "yuv420p10le"},
      {"MarketPlace_1920x1080_60fps_10bit_420.yuv", "yuv420p10le"},
      {"clip_64x48_i010.yuv", "yuv420p10le"},
      {"clip_64x48.yuv10", "yuv420p10le"},
      {"clip_64x48_p010.yuv", "p010le"},
      {"clip_64x48_p010le.yuv", "p010le"},
      {"clip_64x48_p010_10bit.yuv", "p010le"},

      {"clip_64x48_422.yuv", "yuv422p"},
      {"clip_64x48_422p.yuv", "yuv422p"},
      {"clip_64x48_yuv422p10le.yuv", "yuv422p10le"},
      {"clip_64x48_422_10bit.yuv", "yuv422p10le"},
      {"clip_64x48_422p10be.yuv", "yuv422p10be"},
      {"clip_64x48_444.yuv", "yuv444p"},
      {"clip_64x48_yuv444.yuv", "yuv444p"},
      {"clip_64x48_yuv411.yuv", "yuv411p"},
      {"clip_64x48_411p.yuv", "yuv411p"},
      {"clip_64x48_411_8bit.yuv", "yuv411p"},
      {"clip_64x48_8-bit_411.yuv", "yuv411p"},
      {"clip_64x48_yuv410.yuv", "yuv410p"},
      {"clip_64x48_440p10.yuv", "yuv440p10le"},
      {"src_720x486_uyvy.yuv", "uyvy422"},
      {"clip_64x48.yuy2", "yuyv422"},
      {"clip_64x48_uyvy_422.yuv", "uyvy422"},

      {"clip_64x48_gray.yuv", "gray"},
      {"clip_64x48_mono.yuv", "gray"},
      {"clip_64x48_yuv400.yuv", "gray"},
      {"clip_64x48_400p.yuv", "gray"},
      {"clip_64x48_400_8bit.yuv", "gray"},
      {"clip_64x48_400_10-bit.yuv", "gray10le"},
      {"clip_64x48_y8.yuv", "gray"},
      {"clip_64x48.y", "gray"},
      {"clip_64x48_gray_10bit.yuv", "gray10le"},
      {"clip_64x48_y16.yuv", "gray16le"},
      {"clip_64x48.rgb", "rgb24"},
      {"clip_64x48_bgra.yuv", "bgra"},

      {"clip_64x48_422_444.yuv", "rejected"},
      {"clip_64x48_8bit_10bit.yuv", "rejected"},
      {"clip_64x48_nv12_10bit.yuv", "rejected"},
      {"clip_64x48_nv12_i420.yuv", "rejected"},
      {"clip_64x48_v210.yuv", "rejected"},
      {"clip_64x48_411_10bit.yuv", "rejected"},
  };
  for (const auto& [name, format] : kCases) EXPECT_EQ(said_by(name), format) << name;
}

TEST(RawFormatTest, KnowsEveryNameOfSamplesInMemory) {
  EXPECT_EQ(raw_format_of("YUV420P")->name, "yuv420p");
  EXPECT_EQ(raw_format_of("yuv422p10")->name, "yuv422p10le");
  EXPECT_EQ(raw_format_of("yuv422p10be")->name, "yuv422p10be");
  EXPECT_EQ(raw_format_of("gray12")->name, "gray12le");
  for (const char* const none : {"", "yuv", "cuda", "pal8", "yuv420p11", "h264"}) {
    EXPECT_FALSE(raw_format_of(none)) << none;
  }
}

TEST(RawFormatTest, KnowsTheSizeOfAPicture) {
  const struct {
    const char* name;
    RawSize size;
    std::int64_t bytes;
  } kCases[] = {{"yuv420p", {352, 288}, 152'064},
                {"yuv420p", {3, 5}, 15 + 2 * 2 * 3},
                {"yuv420p10le", {352, 288}, 304'128},
                {"nv12", {4, 4}, 24},
                {"yuv422p", {4, 4}, 32},
                {"yuv444p", {4, 4}, 48},
                {"gray", {4, 4}, 16},
                {"p010le", {4, 4}, 48},
                {"rgb24", {4, 4}, 48}};
  for (const auto& [name, size, bytes] : kCases) {
    EXPECT_EQ(RawFormat{name}.frame_bytes(size), bytes) << name;
  }
}

TEST(RawFormatTest, KnowsRawNames) {
  for (const char* const raw : {"a.yuv", "a.YUV", "a.i420", "a.nv12", "a.yuv10", "a.uyvy", "a.y",
                                "a.yuv420p10le", "a.rgb24", "a.P010"}) {
    EXPECT_TRUE(has_raw_name(raw)) << raw;
  }
  for (const char* const other : {"a.y4m", "yuv", "a.mp4", "a", "a.mono", "a.400", "a.png"}) {
    EXPECT_FALSE(has_raw_name(other)) << other;
  }
}

// `low` and `high` are of the two bytes of each of 64 samples.
template <class Low, class High>
std::string samples(Low low, High high) {
  std::string bytes;
  for (int i = 0; i < 64; ++i) {
    bytes += static_cast<char>(low(i));
    bytes += static_cast<char>(high(i));
  }
  return bytes;
}

TEST(RawFormatTest, SeesDeeperSamples) {
  const auto ten = [](int i) { return 64 + i * 13; };
  EXPECT_EQ(deeper_format(samples([&](int i) { return ten(i) & 255; },
                                  [&](int i) { return ten(i) >> 8 & 3; })),
            "yuv420p10le");
  EXPECT_EQ(deeper_format(samples([&](int i) { return ten(i) * 4 & 255; },
                                  [&](int i) { return ten(i) * 4 >> 8 & 15; })),
            "yuv420p12le");
  EXPECT_EQ(deeper_format(samples([&](int i) { return ten(i) << 6 & 255; },
                                  [&](int i) { return ten(i) >> 2 & 255; })),
            "p010le");
}

TEST(RawFormatTest, TakesEightBitsForNothingElse) {
  EXPECT_EQ(deeper_format(std::string(128, '\0')), "");
  EXPECT_EQ(deeper_format(std::string(128, '\x10')), "");
  EXPECT_EQ(deeper_format(std::string(128, '\x80')), "");
  const auto ramp = [](int i) { return 16 + i * 2; };
  EXPECT_EQ(deeper_format(samples(ramp, ramp)), "");
  // Nearly black, with noise.
  const auto noise = [](int i) { return i * 7 % 3; };
  EXPECT_EQ(deeper_format(samples(noise, noise)), "");
}

}  // namespace
}  // namespace millrace::tools
