// SPDX-License-Identifier: Apache-2.0

// The luma of parsed pictures as a queue of the inverse transform (algorithms/idct).
//
//   LumaQueue queue;
//   append_luma(picture, queue);  // For each picture, in decoding order.
//   idct::inverse_transform_host(*device_queue, queue.macroblocks(), residual);
#ifndef MILLRACE_ALGORITHMS_H264_QUEUE_LUMA_QUEUE_H_
#define MILLRACE_ALGORITHMS_H264_QUEUE_LUMA_QUEUE_H_

#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/idct/macroblock.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::h264 {

// Sums over macroblocks. The first five are of macroblocks in the queue.
struct LumaStatistics {
  std::uint64_t macroblocks = 0;
  std::uint64_t coded = 0;  // Macroblocks with a coefficient that is not 0.
  std::uint64_t macroblocks_8x8 = 0;
  std::uint64_t zero_coefficients = 0;
  std::uint64_t luma_bits = 0;  // SyntaxClass::kLuma.
  std::uint64_t pcm = 0;
  std::uint64_t lost = 0;

  LumaStatistics& operator+=(const LumaStatistics& other);
};

// Returns true for macroblocks that are in the queue: all but those whose samples are coded
// directly, and those that no slice has. A skipped macroblock is in it, with coefficients of 0.
constexpr bool has_luma_residual(MacroblockType type) {
  return type != MacroblockType::kPcm && type != MacroblockType::kLost;
}

// Returns the type tag of a macroblock that is in the queue.
constexpr idct::TransformSize transform_size(const Macroblock& macroblock) {
  return macroblock.type == MacroblockType::kIntra8x8 || macroblock.has_8x8_transform
             ? idct::TransformSize::k8x8
             : idct::TransformSize::k4x4;
}

// Macroblocks in host memory, in the order in which they were appended.
struct LumaQueue {
  std::vector<idct::TransformSize> sizes;
  std::vector<std::int16_t> coefficients;  // 256 a macroblock, dequantised.
  LumaStatistics statistics;

  idct::MacroblockQueue macroblocks() const {
    return {sizes.data(), coefficients.data(), sizes.size()};
  }
  void clear();
};

// Appends the luma of a picture that was parsed with its coefficients, in raster order. A picture
// without slices has none.
void append_luma(const ParsedPicture& picture, LumaQueue& queue);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_QUEUE_LUMA_QUEUE_H_
