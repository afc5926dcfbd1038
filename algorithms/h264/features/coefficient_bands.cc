// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/coefficient_bands.h>

#include <cstddef>

namespace millrace::h264 {
namespace {

// Adds a coefficient c_ij of the sums' transform, which is not 0.
template <int bands>
void add_coefficient(unsigned i, unsigned j, std::int64_t value, BandSums<bands>& sums) {
  constexpr unsigned kWidth = (bands + 1) / 2;
  const std::size_t band = i % kWidth + j % kWidth;
  sums.energy[band] += value * value;
  --sums.zeros[band];
}

// Adds blocks whose coefficients are all 0.
template <int bands>
void add_blocks(int count, BandSums<bands>& sums) {
  sums.blocks += count;
  for (int band = 0; band < bands; ++band) {
    sums.zeros[static_cast<std::size_t>(band)] += count * BandSums<bands>::band_size(band);
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
    const bool has_luma = may_have_luma(macroblock);
    const bool has_chroma = macroblock.coded_block_pattern >> 4 != 0;
    if (has_luma && macroblock.has_8x8_transform) add_blocks(4, bands.luma_8x8);
    if (has_luma && !macroblock.has_8x8_transform) add_blocks(16, bands.luma_4x4);
    if (has_chroma) add_blocks(8, bands.chroma);
    for (const CodedCoefficient coded : picture.coefficients.of(i)) {
      const unsigned index = coded.index;
      if (index >= kFirstOfChroma) {
        if (has_chroma) add_coefficient(index % 8, index / 8, coded.value, bands.chroma);
      } else if (has_luma && macroblock.has_8x8_transform) {
        add_coefficient(index % 16, index / 16, coded.value, bands.luma_8x8);
      } else if (has_luma) {
        add_coefficient(index % 16, index / 16, coded.value, bands.luma_4x4);
      }
    }
  }
  return bands;
}

}  // namespace millrace::h264
