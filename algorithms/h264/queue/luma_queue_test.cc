// SPDX-License-Identifier: Apache-2.0

// Queues of pictures that are made here, and of a small stream.
#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/algorithms/h264/queue/luma_queue.h>
#include <millrace/algorithms/h264/queue/reconstruct_from_residual.h>
#include <millrace/algorithms/h264/reconstruction/random_parsed_pictures.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/simd/simd_target.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr std::size_t kSamples = idct::kMacroblockSamples;

// A row of macroblocks of these types; macroblock i has the coefficient i + 1 at index i.
ParsedPicture picture_of(const std::vector<MacroblockType>& types) {
  ParsedPicture picture;
  for (std::size_t i = 0; i < types.size(); ++i) {
    Macroblock macroblock;
    macroblock.type = types[i];
    macroblock.bits[static_cast<int>(SyntaxClass::kLuma)] = 100;
    picture.macroblocks.push_back(macroblock);
  }
  picture.coefficients.reset(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    const CodedCoefficient coded = {static_cast<std::uint16_t>(i),
                                    static_cast<std::int16_t>(i + 1)};
    picture.coefficients.set(i, CoefficientView{&coded, 1});
  }
  return picture;
}

std::vector<std::int16_t> residual_of(const LumaQueue& queue) {
  std::vector<std::int16_t> residual(queue.coefficients.size());
  for (std::size_t m = 0; m < queue.sizes.size(); ++m) {
    idct::reference_residual(
        queue.sizes[m],
        std::span<const std::int16_t, kSamples>(&queue.coefficients[kSamples * m], kSamples),
        std::span<std::int16_t, kSamples>(&residual[kSamples * m], kSamples));
  }
  return residual;
}

TEST(LumaQueue, HasAllMacroblocksButPcmAndLostOnesInRasterOrder) {
  LumaQueue queue;
  append_luma(picture_of({MacroblockType::kInter16x16, MacroblockType::kPcm, MacroblockType::kSkip,
                          MacroblockType::kLost, MacroblockType::kIntra16x16}),
              queue);
  ASSERT_EQ(queue.macroblocks().count, 3U);
  EXPECT_EQ(queue.coefficients[0], 1);
  EXPECT_EQ(queue.coefficients[kSamples + 2], 3);
  EXPECT_EQ(queue.coefficients[2 * kSamples + 4], 5);
  EXPECT_EQ(queue.statistics.macroblocks, 3U);
  EXPECT_EQ(queue.statistics.pcm, 1U);
  EXPECT_EQ(queue.statistics.lost, 1U);
  EXPECT_EQ(queue.statistics.luma_bits, 300U);
}

TEST(LumaQueue, DistinguishesTransformsBySizeFlagAndIntra8x8) {
  ParsedPicture picture =
      picture_of({MacroblockType::kIntra4x4, MacroblockType::kIntra8x8, MacroblockType::kInter8x8});
  picture.macroblocks[2].has_8x8_transform = true;
  LumaQueue queue;
  append_luma(picture, queue);
  using idct::TransformSize;
  EXPECT_EQ(queue.sizes,
            (std::vector{TransformSize::k4x4, TransformSize::k8x8, TransformSize::k8x8}));
  EXPECT_EQ(queue.statistics.macroblocks_8x8, 2U);
}

TEST(LumaQueue, CountsCodedMacroblocksAndZeroCoefficients) {
  ParsedPicture picture = picture_of({MacroblockType::kInter16x16, MacroblockType::kSkip});
  const CodedCoefficient chroma = {300, 7};
  picture.coefficients.set(1, CoefficientView{&chroma, 1});
  LumaQueue queue;
  append_luma(picture, queue);
  EXPECT_EQ(queue.statistics.coded, 1U);
  EXPECT_EQ(queue.statistics.zero_coefficients, 2 * kSamples - 1);
}

TEST(LumaQueue, GrowsPictureByPicture) {
  LumaQueue queue;
  append_luma(picture_of({MacroblockType::kSkip}), queue);
  append_luma(picture_of({MacroblockType::kSkip, MacroblockType::kSkip}), queue);
  EXPECT_EQ(queue.macroblocks().count, 3U);
  queue.clear();
  EXPECT_EQ(queue.macroblocks().count, 0U);
  EXPECT_EQ(queue.statistics.macroblocks, 0U);
}

// A test pattern of 12 frames of 64x64 in the high profile: I, P and B, both transforms.
std::vector<std::uint8_t> small_stream() {
  std::ifstream file("tests/test_data/streams/testsrc2_64x64.264", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_equal(const SamplePicture& a, const SamplePicture& b) {
  for (int plane = 0; plane < 3; ++plane) {
    const std::ptrdiff_t count = std::ptrdiff_t{a.width(plane)} * a.height(plane);
    if (!std::equal(a.plane(plane), a.plane(plane) + count, b.plane(plane))) return false;
  }
  return true;
}

struct Reconstructed {
  int pictures = 0;
  int equal = 0;
  LumaStatistics luma;
};

// Compares pictures from the reference's residual with those of the decoder.
Reconstructed reconstruct(std::span<const std::uint8_t> bytes) {
  Reconstructed result;
  const auto compare = [&](const ParsedPicture& picture, const FindPicture& find,
                           SamplePicture& output) {
    reconstruct_picture(picture, find, output);
    LumaQueue queue;
    append_luma(picture, queue);
    SamplePicture other(picture.sequence->width_in_macroblocks,
                        picture.sequence->height_in_macroblocks);
    reconstruct_from_residual(picture, find, residual_of(queue), other);
    ++result.pictures;
    result.equal += is_equal(output, other) ? 1 : 0;
    result.luma += queue.statistics;
  };
  Decoder decoder([](const DecodedFrame&) {}, {.reconstruct = compare});
  AnnexBSplitter splitter;
  splitter.push(bytes);
  splitter.finish();
  while (const auto unit = splitter.next()) decoder.push_nal_unit(unit->bytes, unit->byte);
  decoder.finish();
  return result;
}

using ReconstructFromResidual = OnSimdTarget;

TEST_P(ReconstructFromResidual, IsTheDecodersPictureWithTheReferencesResidual) {
  const std::vector<std::uint8_t> bytes = small_stream();
  ASSERT_FALSE(bytes.empty());
  const Reconstructed result = reconstruct(bytes);
  EXPECT_EQ(result.pictures, 12);
  EXPECT_EQ(result.equal, 12);
  EXPECT_EQ(result.luma.macroblocks, 12U * 16);
  EXPECT_GT(result.luma.macroblocks_8x8, 0U);
  EXPECT_LT(result.luma.macroblocks_8x8, 12U * 16);
  EXPECT_GT(result.luma.coded, 0U);
  EXPECT_LT(result.luma.coded, 12U * 16);
}

// Macroblocks of all types with random decisions. The blocks of kIntra16x16 count as coded: of
// others, whose coefficients are DC alone, a picture's do not say where they are 0.
TEST_P(ReconstructFromResidual, IsTheReferencesPictureForRandomMacroblocks) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomParsedPictures pictures(7, 5, seed);
    ParsedPicture picture = pictures.picture();
    for (Macroblock& macroblock : picture.macroblocks) {
      if (macroblock.type == MacroblockType::kIntra16x16) macroblock.coded_blocks |= 0xffff;
    }
    SamplePicture expected(7, 5);
    SamplePicture samples(7, 5);
    reconstruct_picture(picture, pictures.find(), expected);
    LumaQueue queue;
    append_luma(picture, queue);
    reconstruct_from_residual(picture, pictures.find(), residual_of(queue), samples);
    EXPECT_TRUE(is_equal(samples, expected));
  }
}

// Returns true if all luma samples of macroblocks that have a residual are `sample`.
bool is_filled(const ParsedPicture& picture, const SamplePicture& samples, std::uint8_t sample) {
  const int columns = picture.sequence->width_in_macroblocks;
  for (std::size_t i = 0; i < picture.macroblocks.size(); ++i) {
    if (!has_luma_residual(picture.macroblocks[i].type)) continue;
    const int x = 16 * (static_cast<int>(i) % columns);
    const int y = 16 * (static_cast<int>(i) / columns);
    for (int row = y; row < y + 16; ++row) {
      const std::uint8_t* const first = samples.plane(0) + row * samples.width(0) + x;
      if (!std::all_of(first, first + 16, [=](std::uint8_t s) { return s == sample; })) {
        return false;
      }
    }
  }
  return true;
}

TEST_P(ReconstructFromResidual, ClipsTheSumOfAnyResidual) {
  RandomParsedPictures pictures(7, 5, 1);
  ParsedPicture picture = pictures.picture();
  for (Slice& slice : picture.slices) slice.header.deblocking = 1;  // Off.
  for (Macroblock& macroblock : picture.macroblocks) macroblock.coded_blocks |= 0xffff;
  LumaQueue queue;
  append_luma(picture, queue);
  ASSERT_FALSE(queue.sizes.empty());
  std::vector<std::int16_t> residual(queue.coefficients.size(), 32767);
  SamplePicture samples(7, 5);
  reconstruct_from_residual(picture, pictures.find(), residual, samples);
  EXPECT_TRUE(is_filled(picture, samples, 255));
  std::ranges::fill(residual, std::int16_t{-32768});
  reconstruct_from_residual(picture, pictures.find(), residual, samples);
  EXPECT_TRUE(is_filled(picture, samples, 0));
}

TEST_P(ReconstructFromResidual, RejectsAResidualOfAnotherLength) {
  ParsedPicture picture = picture_of({MacroblockType::kSkip});
  SamplePicture output(1, 1);
  const FindPicture none = [](std::int64_t) -> const SamplePicture* { return nullptr; };
  const std::vector<std::int16_t> residual(2 * kSamples);
  EXPECT_THROW(reconstruct_from_residual(picture, none, residual, output), Error);
  EXPECT_THROW(reconstruct_from_residual(picture, none, {}, output), Error);
}

INSTANTIATE_TEST_SUITE_P(Targets, ReconstructFromResidual, simd_targets(), name_of_simd_target);

}  // namespace
}  // namespace millrace::h264
