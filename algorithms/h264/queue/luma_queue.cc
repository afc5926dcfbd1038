// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/queue/luma_queue.h>

#include <algorithm>
#include <iterator>

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
    const auto& luma = picture.coefficients[i].luma;
    const auto zeros = static_cast<std::size_t>(std::ranges::count(luma, std::int16_t{0}));
    const idct::TransformSize size = transform_size(macroblock);
    queue.sizes.push_back(size);
    queue.coefficients.insert(queue.coefficients.end(), std::begin(luma), std::end(luma));
    ++statistics.macroblocks;
    statistics.coded += zeros < std::size(luma) ? 1 : 0;
    statistics.macroblocks_8x8 += size == idct::TransformSize::k8x8 ? 1 : 0;
    statistics.zero_coefficients += zeros;
    statistics.luma_bits += macroblock.bits[static_cast<int>(SyntaxClass::kLuma)];
  }
}

}  // namespace millrace::h264
