// SPDX-License-Identifier: Apache-2.0

// Queues of pictures that are made here, and of a small stream.
#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/algorithms/h264/queue/luma_queue.h>
#include <millrace/algorithms/h264/queue/reconstruct_from_residual.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <span>
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

TEST(LumaQueue, TellsTransformsBySizeFlagAndIntra8x8) {
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

TEST(ReconstructFromResidual, IsTheDecodersPictureWithTheReferencesResidual) {
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

TEST(ReconstructFromResidual, RejectsAResidualOfAnotherLength) {
  ParsedPicture picture = picture_of({MacroblockType::kSkip});
  SamplePicture output(1, 1);
  const FindPicture none = [](std::int64_t) -> const SamplePicture* { return nullptr; };
  const std::vector<std::int16_t> residual(2 * kSamples);
  EXPECT_THROW(reconstruct_from_residual(picture, none, residual, output), Error);
  EXPECT_THROW(reconstruct_from_residual(picture, none, {}, output), Error);
}

}  // namespace
}  // namespace millrace::h264
