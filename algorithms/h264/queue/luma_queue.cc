// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/queue/luma_queue.h>

#include <cstddef>

namespace millrace::h264 {

LumaStatistics& LumaStatistics::operator+=(const LumaStatistics& other) {
  macroblocks += other.macroblocks;
  coded += other.coded;
  macroblocks_8x8 += other.macroblocks_8x8;
  zero_coefficients += other.zero_coefficients;
  luma_bits += other.luma_bits;
  pcm += other.pcm;
  lost += other.lost;
  return *this;
}

void LumaQueue::clear() {
  sizes.clear();
  coefficients.clear();
  statistics = {};
}

void append_luma(const ParsedPicture& picture, LumaQueue& queue) {
  LumaStatistics& statistics = queue.statistics;
  for (std::size_t i = 0; i < picture.coefficients.size(); ++i) {
    const Macroblock& macroblock = picture.macroblocks[i];
    if (!has_luma_residual(macroblock.type)) {
      ++(macroblock.type == MacroblockType::kPcm ? statistics.pcm : statistics.lost);
      continue;
    }
    const std::size_t first = queue.coefficients.size();
    queue.coefficients.resize(first + idct::kMacroblockSamples);
    std::size_t zeros = idct::kMacroblockSamples;
    for (const CodedCoefficient coded : picture.coefficients.of(i)) {
      if (coded.index >= kFirstOfChroma) continue;
      queue.coefficients[first + coded.index] = coded.value;
      --zeros;
    }
    const idct::TransformSize size = transform_size(macroblock);
    queue.sizes.push_back(size);
    ++statistics.macroblocks;
    statistics.coded += zeros < idct::kMacroblockSamples ? 1 : 0;
    statistics.macroblocks_8x8 += size == idct::TransformSize::k8x8 ? 1 : 0;
    statistics.zero_coefficients += zeros;
    statistics.luma_bits += macroblock.bits[static_cast<int>(SyntaxClass::kLuma)];
  }
}

}  // namespace millrace::h264
