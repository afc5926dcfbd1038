// SPDX-License-Identifier: Apache-2.0

// The quantised levels of one macroblock, as its slice codes them.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_MACROBLOCK_LEVELS_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_MACROBLOCK_LEVELS_H_

#include <cstdint>

namespace millrace::h264 {

// Levels in zig-zag order (ITU-T H.264 clauses 7.3.5.3 and 8.5.6). What the macroblock's type,
// transform size and coded block pattern do not code is not read.
struct MacroblockLevels {
  // By 8x8 block in raster order. An 8x8 transform: its 64 levels. 4x4 transforms: 16 levels of
  // each 4x4 block of the 8x8 block, in raster order. The first level of a kIntra16x16 macroblock's
  // block is not coded: its DC is in luma_dc. kPcm: samples 16 * y + x, in order.
  alignas(16) std::int16_t luma[4][64];
  std::int16_t luma_dc[16];          // kIntra16x16 alone.
  std::int16_t chroma_dc[2][4];      // Cb, Cr.
  std::int16_t chroma_ac[2][4][16];  // By 4x4 block; the first level is not coded. kPcm: samples
                                     // 8 * y + x, in order.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_MACROBLOCK_LEVELS_H_
