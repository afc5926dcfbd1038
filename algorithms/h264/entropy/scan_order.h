// SPDX-License-Identifier: Apache-2.0

// The zig-zag orders of frame macroblocks (ITU-T H.264 clauses 8.5.6 and 8.5.7) and the order of
// 4x4 blocks (clause 6.4.3).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_SCAN_ORDER_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_SCAN_ORDER_H_

#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Rows and columns of the coefficients of an n x n block by their position in zig-zag order.
template <int n>
struct ZigzagOrder {
  std::uint8_t row[n * n];
  std::uint8_t column[n * n];
};

template <int n>
constexpr ZigzagOrder<n> zigzag_order() {
  ZigzagOrder<n> order = {};
  int k = 0;
  for (int diagonal = 0; diagonal < 2 * n - 1; ++diagonal) {
    for (int step = 0; step <= diagonal; ++step) {
      const int row = diagonal % 2 == 1 ? step : diagonal - step;
      const int column = diagonal - row;
      if (row < n && column < n) {
        order.row[k] = static_cast<std::uint8_t>(row);
        order.column[k] = static_cast<std::uint8_t>(column);
        ++k;
      }
    }
  }
  return order;
}

// Offsets of coefficients in MacroblockCoefficients, from the first one of their block, by their
// position in zig-zag order.
struct ScanOffsets {
  std::uint8_t luma_4x4[16];
  std::uint8_t luma_8x8[64];
  std::uint8_t chroma_4x4[16];
  std::uint8_t in_order[16];    // The position itself.
  std::uint8_t raster_4x4[16];  // 4 * row + column
};

constexpr ScanOffsets scan_offsets() {
  constexpr ZigzagOrder<4> k4x4 = zigzag_order<4>();
  constexpr ZigzagOrder<8> k8x8 = zigzag_order<8>();
  ScanOffsets offsets = {};
  for (int k = 0; k < 16; ++k) {
    offsets.luma_4x4[k] = static_cast<std::uint8_t>(16 * k4x4.column[k] + k4x4.row[k]);
    offsets.chroma_4x4[k] = static_cast<std::uint8_t>(8 * k4x4.column[k] + k4x4.row[k]);
    offsets.in_order[k] = static_cast<std::uint8_t>(k);
    offsets.raster_4x4[k] = static_cast<std::uint8_t>(4 * k4x4.row[k] + k4x4.column[k]);
  }
  for (int k = 0; k < 64; ++k) {
    offsets.luma_8x8[k] = static_cast<std::uint8_t>(16 * k8x8.column[k] + k8x8.row[k]);
  }
  return offsets;
}

// Returns column and row of 4x4 block `index` in coding order; the map is its own inverse on raster
// indices: block_order(4 * y + x) is the coding index of block (x, y).
MILLRACE_FUNCTION constexpr int block_column(int index) { return (index & 1) + (index >> 1 & 2); }
MILLRACE_FUNCTION constexpr int block_row(int index) { return (index >> 1 & 1) + (index >> 2 & 2); }
MILLRACE_FUNCTION constexpr int block_order(int x, int y) {
  return (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_SCAN_ORDER_H_
