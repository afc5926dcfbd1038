// SPDX-License-Identifier: Apache-2.0

// The samples of a 4x4 intra prediction as positions in three lines that its edge gives.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_CPU_INTRA_TAP_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_CPU_INTRA_TAP_H_

#include <millrace/algorithms/h264/reconstruction/intra_prediction.h>

#include <cstdint>

namespace millrace::h264 {

// IntraEdge::line, and its means by position: mean2() and mean3(). The sample before the line is
// its first one.
enum IntraLine : std::uint8_t { kLineOfSamples, kLineOfMean2, kLineOfMean3 };

struct IntraTap {
  IntraLine line;
  int position;
};

// Returns the tap of sample (x, y) in any mode but kIntraDc; see intra_sample().
constexpr IntraTap intra_tap(int mode, int x, int y) {
  constexpr int c = IntraEdge<4>::kCorner;
  switch (mode) {
    case kIntraVertical: return {kLineOfSamples, c + 1 + x};
    case kIntraHorizontal: return {kLineOfSamples, 3 - y};
    case kIntraDiagonalDownLeft: return {kLineOfMean3, c + 2 + x + y};
    case kIntraDiagonalDownRight: return {kLineOfMean3, c + x - y};
    case kIntraVerticalRight: {
      const int z = 2 * x - y;
      if (z < -1) return {kLineOfMean3, c + 1 + z};
      return {(z & 1) != 0 ? kLineOfMean3 : kLineOfMean2, c + x - (y >> 1)};
    }
    case kIntraHorizontalDown: {
      const int z = 2 * y - x;
      const int i = c - y + (x >> 1);
      if (z < -1) return {kLineOfMean3, c - 1 - z};
      return (z & 1) != 0 ? IntraTap{kLineOfMean3, i} : IntraTap{kLineOfMean2, i - 1};
    }
    case kIntraVerticalLeft: {
      const int i = c + 1 + x + (y >> 1);
      return (y & 1) != 0 ? IntraTap{kLineOfMean3, i + 1} : IntraTap{kLineOfMean2, i};
    }
    default: {  // kIntraHorizontalUp
      const int z = x + 2 * y;
      const int i = 3 - y - (x >> 1);
      if (z > 5) return {kLineOfSamples, 0};
      if (z == 5) return {kLineOfMean3, 0};
      return {(z & 1) != 0 ? kLineOfMean3 : kLineOfMean2, i - 1};
    }
  }
}

// The taps of a mode in raster order, as tables that are indexed by byte.
struct IntraTaps {
  alignas(16) std::uint8_t index[16];
  alignas(16) std::uint8_t mask[3][16];  // 255 where a sample is of the line.
  bool has_line[3];
};

constexpr IntraTaps intra_taps(int mode) {
  IntraTaps taps = {};
  for (int k = 0; k < 16; ++k) {
    const IntraTap tap = intra_tap(mode, k % 4, k / 4);
    taps.index[k] = static_cast<std::uint8_t>(tap.position);
    taps.mask[tap.line][k] = 255;
    taps.has_line[tap.line] = true;
  }
  return taps;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_CPU_INTRA_TAP_H_
