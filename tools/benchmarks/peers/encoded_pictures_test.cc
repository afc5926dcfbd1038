// SPDX-License-Identifier: Apache-2.0

// Encodes pictures of all sizes, and at the ends of the range of QPs: both decoders return what the
// encoder says.
#include <millrace/algorithms/h264/encoder/encoder.h>
#include <millrace/algorithms/h264/encoder/testing/made_clip.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tools/benchmarks/peers/testing/both_decoders.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace millrace::tools {
namespace {

using h264::EncoderOptions;
using h264::MadeClip;
using h264::MadeContent;
using h264::SamplePicture;

struct Encoded {
  std::vector<std::uint8_t> stream;
  std::vector<ShownPicture> reconstructions;  // Inside the cropping rectangle.

  // The stream begins with a sequence parameter set: start code, NAL header, profile_idc,
  // constraint flags, level_idc.
  int profile() const { return stream[5]; }
  int level() const { return stream[7]; }
};

template <class Produce>
Encoded encode(const EncoderOptions& options, const Produce& produce) {
  Encoded encoded;
  h264::Encoder(open_device("tbb"), options)
      .run({.produce = produce, .consume = [&](const h264::EncodedPicture& picture) {
              encoded.stream.insert(encoded.stream.end(), picture.bytes.begin(),
                                    picture.bytes.end());
              ShownPicture& shown = encoded.reconstructions.emplace_back();
              shown.width = options.width;
              shown.height = options.height;
              for (int plane = 0; plane < 3; ++plane) {
                shown.set_plane(plane, picture.reconstruction->plane(plane),
                                picture.reconstruction->width(plane));
              }
            }});
  return encoded;
}

void expect_decodes(const Encoded& encoded) {
  {
    SCOPED_TRACE("by Millrace");
    expect_equal(decoded_by_millrace(encoded.stream), encoded.reconstructions);
  }
  SCOPED_TRACE("by FFmpeg");
  expect_equal(decoded_by_ffmpeg(encoded.stream), encoded.reconstructions);
}

EncoderOptions quick_options(int width, int height) {
  EncoderOptions options;
  options.width = width;
  options.height = height;
  options.search = h264::EncoderSearch::kHexagon;
  options.decision = h264::ModeDecision::kCost;
  return options;
}

MadeClip made_clip(const EncoderOptions& options, MadeContent content, std::uint64_t seed) {
  MadeClip clip;
  clip.content = content;
  clip.width = options.width;
  clip.height = options.height;
  clip.seed = seed;
  clip.noise = 4;
  return clip;
}

// Gives `count` pictures of a clip.
auto pictures_of(const MadeClip& clip, int count) {
  return [clip, count, next = 0](SamplePicture& picture) mutable {
    if (next == count) return false;
    clip.write(next++, picture);
    return true;
  };
}

// The levels are those of Table A-1 at 25 pictures a second.
TEST(EncodedPictures, OfSmallSizesAreDecoded) {
  const struct {
    int width, height, level;
  } kSizes[] = {{16, 16, 10},   {18, 16, 10},  {16, 18, 10}, {32, 32, 10},  {30, 34, 10},
                {46, 62, 10},   {50, 16, 10},  {16, 82, 10}, {128, 96, 10}, {130, 98, 11},
                {176, 144, 11}, {318, 18, 10}, {16, 466, 11}};
  SeededRandom random;
  for (const auto& [width, height, level] : kSizes) {
    SCOPED_TRACE(testing::Message() << width << " x " << height);
    const EncoderOptions options = quick_options(width, height);
    const Encoded encoded =
        encode(options, pictures_of(made_clip(options, MadeContent::kTexture, random()), 3));
    ASSERT_EQ(encoded.reconstructions.size(), 3u);
    EXPECT_EQ(encoded.level(), level);
    expect_decodes(encoded);
    if (HasFailure()) return;
  }
}

// Gives pictures that are made of pieces of a small one, quickly; each is moved.
auto tiled_pictures(const EncoderOptions& options, std::uint64_t seed, int count) {
  constexpr int kTile = 64;
  EncoderOptions small = options;
  small.width = 3 * kTile;
  small.height = 3 * kTile;
  SamplePicture tile(3 * kTile / 16, 3 * kTile / 16);
  made_clip(small, MadeContent::kTexture, seed).write(0, tile);
  return [options, tile, count, next = 0](SamplePicture& picture) mutable {
    if (next == count) return false;
    for (int plane = 0; plane < 3; ++plane) {
      const int scale = plane == 0 ? 1 : 2;
      const int piece = kTile / scale;
      for (int y = 0; y < options.height / scale; ++y) {
        std::uint8_t* const row = picture.plane(plane) + y * picture.width(plane);
        const int from_y = (y / piece % 2 + 1) * (piece / 2) + y % piece;
        for (int x = 0; x < options.width / scale; x += piece) {
          const int from_x = (x / piece % 5 * 9 + 2 * next) / scale;
          std::copy_n(tile.plane(plane) + from_y * tile.width(plane) + from_x,
                      std::min(piece, options.width / scale - x), row + x);
        }
      }
    }
    ++next;
    return true;
  };
}

// Pictures of 16x16 fit each level, so that the bit rate decides. Level 1b is 9 in high profile and
// 11 in others.
TEST(EncodedPictures, OfGivenBitRatesStateTheirLevel) {
  const struct {
    h264::EncoderProfile profile;
    int kbit_per_second, level;
  } kRates[] = {
      {h264::EncoderProfile::kBaseline, 64, 10}, {h264::EncoderProfile::kBaseline, 65, 11},
      {h264::EncoderProfile::kMain, 128, 11},    {h264::EncoderProfile::kMain, 193, 12},
      {h264::EncoderProfile::kHigh, 80, 10},     {h264::EncoderProfile::kHigh, 81, 9},
      {h264::EncoderProfile::kHigh, 3000, 21}};
  SeededRandom random;
  for (const auto& [profile, kbit_per_second, level] : kRates) {
    SCOPED_TRACE(testing::Message() << kbit_per_second << " kbit/s");
    EncoderOptions options = quick_options(16, 16);
    options.profile = profile;
    options.rate = h264::EncoderRate::kBitrate;
    options.kbit_per_second = kbit_per_second;
    const Encoded encoded =
        encode(options, pictures_of(made_clip(options, MadeContent::kTexture, random()), 3));
    EXPECT_EQ(encoded.level(), level);
    expect_decodes(encoded);
    if (HasFailure()) return;
  }
}

TEST(EncodedPictures, OfLargeSizesAreDecoded) {
  const struct { int width, height, level; } kSizes[] = {{1920, 1080, 40}, {4096, 2304, 51}};
  SeededRandom random;
  for (const auto& [width, height, level] : kSizes) {
    SCOPED_TRACE(testing::Message() << width << " x " << height);
    const EncoderOptions options = quick_options(width, height);
    const Encoded encoded = encode(options, tiled_pictures(options, random(), 2));
    ASSERT_EQ(encoded.reconstructions.size(), 2u);
    EXPECT_EQ(encoded.level(), level);
    expect_decodes(encoded);
    if (HasFailure()) return;
  }
}

TEST(EncodedPictures, OfEachQpAreDecoded) {
  SeededRandom random;
  for (int qp = 0; qp <= 51; ++qp) {
    EncoderOptions options = quick_options(34, 50);
    options.profile = static_cast<h264::EncoderProfile>(qp % 3);
    options.decision = static_cast<h264::ModeDecision>(qp % 2);
    options.qp = qp;
    SCOPED_TRACE(testing::Message() << "QP " << qp);
    const Encoded encoded =
        encode(options, pictures_of(made_clip(options, MadeContent::kTexture, random()), 3));
    ASSERT_EQ(encoded.reconstructions.size(), 3u);
    expect_decodes(encoded);
    if (HasFailure()) return;
  }
}

TEST(EncodedPictures, OfEachToolOnAndOffAreDecoded) {
  const struct {
    const char* name;
    std::function<void(EncoderOptions&)> set;
  } kTools[] = {
      {"none changed", [](EncoderOptions&) {}},
      {"without deblocking", [](EncoderOptions& options) { options.has_deblocking = false; }},
      {"two references", [](EncoderOptions& options) { options.references = 2; }},
      {"four references", [](EncoderOptions& options) { options.references = 4; }},
      {"two slices", [](EncoderOptions& options) { options.slices = 2; }},
      {"a slice a row", [](EncoderOptions& options) { options.slices = 4; }},
      {"I pictures alone", [](EncoderOptions& options) { options.pictures_a_group = 1; }},
      {"groups of three", [](EncoderOptions& options) { options.pictures_a_group = 3; }},
      {"full search", [](EncoderOptions& options) { options.search = h264::EncoderSearch::kFull; }},
      {"search by diamonds",
       [](EncoderOptions& options) { options.search = h264::EncoderSearch::kDiamond; }},
      {"the least range", [](EncoderOptions& options) { options.range = 8; }},
      {"without scene cuts", [](EncoderOptions& options) { options.finds_scene_cuts = false; }},
      {"a quality", [](EncoderOptions& options) { options.rate = h264::EncoderRate::kQuality; }},
      {"a bitrate",
       [](EncoderOptions& options) {
         options.rate = h264::EncoderRate::kBitrate;
         options.kbit_per_second = 100;
       }},
  };
  SeededRandom random;
  for (const auto& [name, set] : kTools) {
    for (int i = 0; i < 6; ++i) {
      EncoderOptions options = quick_options(66, 50);
      options.profile = static_cast<h264::EncoderProfile>(i % 3);
      options.decision = static_cast<h264::ModeDecision>(i / 3);
      set(options);
      SCOPED_TRACE(testing::Message() << name << ", profile " << i % 3 << ", decision " << i / 3);
      MadeClip clip = made_clip(options, MadeContent::kTexture, random());
      clip.cuts = {4};
      const Encoded encoded = encode(options, pictures_of(clip, 7));
      ASSERT_EQ(encoded.reconstructions.size(), 7u);
      expect_decodes(encoded);
      if (HasFailure()) return;
    }
  }
}

TEST(EncodedPictures, OfTheLeastAndTheLargestQpAreDecodedInEachProfile) {
  const struct {
    h264::EncoderProfile profile;
    int number;
  } kProfiles[] = {{h264::EncoderProfile::kBaseline, 66},
                   {h264::EncoderProfile::kMain, 77},
                   {h264::EncoderProfile::kHigh, 100}};
  SeededRandom random;
  for (const auto& [profile, number] : kProfiles) {
    for (const int qp : {0, 51}) {
      for (const auto content :
           {MadeContent::kTexture, MadeContent::kNoise, MadeContent::kBlackAndWhite}) {
        for (const auto decision :
             {h264::ModeDecision::kCost, h264::ModeDecision::kRateDistortion}) {
          SCOPED_TRACE(testing::Message()
                       << "profile " << number << ", QP " << qp << ", content "
                       << static_cast<int>(content) << ", decision " << static_cast<int>(decision));
          EncoderOptions options = quick_options(66, 50);
          options.profile = profile;
          options.decision = decision;
          options.qp = qp;
          const Encoded encoded =
              encode(options, pictures_of(made_clip(options, content, random()), 3));
          EXPECT_EQ(encoded.profile(), number);
          ASSERT_EQ(encoded.reconstructions.size(), 3u);
          expect_decodes(encoded);
          if (HasFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace millrace::tools
