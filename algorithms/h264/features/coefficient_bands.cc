// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/coefficient_bands.h>

#include <cstddef>

namespace millrace::h264 {
namespace {

constexpr int kLumaStride = 16;
constexpr int kChromaStride = 8;

template <int bands>
void add_block(const std::int16_t* block, int stride, BandSums<bands>& sums) {
  constexpr int kWidth = (bands + 1) / 2;
  ++sums.blocks;
  for (int j = 0; j < kWidth; ++j) {
    for (int i = 0; i < kWidth; ++i) {
      const std::int64_t level = block[stride * j + i];
      const auto band = static_cast<std::size_t>(i + j);
      sums.energy[band] += level * level;
      sums.zeros[band] += level == 0;
    }
  }
}

template <int bands>
void add_blocks(const std::int16_t* first, int stride, int across, BandSums<bands>& sums) {
  constexpr int kWidth = (bands + 1) / 2;
  for (int y = 0; y < across; ++y) {
    for (int x = 0; x < across; ++x) {
      add_block(first + kWidth * (stride * y + x), stride, sums);
    }
  }
}

bool may_have_luma(const Macroblock& macroblock) {
  return macroblock.type == MacroblockType::kIntra16x16 ||
         (macroblock.coded_block_pattern & 15) != 0;
}

}  // namespace

CoefficientBands measure_bands(const ParsedPicture& picture) {
  CoefficientBands bands;
  if (picture.coefficients.size() != picture.macroblocks.size()) return bands;
  for (std::size_t i = 0; i < picture.macroblocks.size(); ++i) {
    const Macroblock& macroblock = picture.macroblocks[i];
    if (macroblock.type == MacroblockType::kPcm || macroblock.type == MacroblockType::kLost) {
      continue;
    }
    const MacroblockCoefficients& coefficients = picture.coefficients[i];
    if (may_have_luma(macroblock)) {
      if (macroblock.has_8x8_transform) {
        add_blocks(coefficients.luma, kLumaStride, 2, bands.luma_8x8);
      } else {
        add_blocks(coefficients.luma, kLumaStride, 4, bands.luma_4x4);
      }
    }
    if (macroblock.coded_block_pattern >> 4 != 0) {
      for (const auto& chroma : coefficients.chroma) {
        add_blocks(chroma, kChromaStride, 2, bands.chroma);
      }
    }
  }
  return bands;
}

}  // namespace millrace::h264
