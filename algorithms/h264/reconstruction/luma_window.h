// SPDX-License-Identifier: Apache-2.0

// Luma of a macroblock that has one vector, predicted by the lanes of a warp from a window of the
// reference in memory that they share (ITU-T H.264 clause 8.4.2.2.1). The window is loaded once,
// and its rows are filtered once.
//
//   const LumaWindow window(lanes, memory, plane, x, y, vector);
//   row = window.samples(y, x);  // Each lane for some of 64 groups of four samples.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_LUMA_WINDOW_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_LUMA_WINDOW_H_

#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>
#include <millrace/algorithms/h264/reconstruction/packed_block.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Returns the means of the bytes of two words, rounded up.
MILLRACE_FUNCTION constexpr std::uint32_t mean_bytes(std::uint32_t a, std::uint32_t b) {
  return (a | b) - ((a ^ b) >> 1 & 0x7f7f7f7f);
}

// The window in memory that lanes share.
struct LumaWindowMemory {
  static constexpr int kRows = 16 + kTapsBefore + kTapsAfter;
  static constexpr int kPitch = 7;  // Odd, so that rows begin in different banks.
  std::uint32_t samples[kRows][kPitch];
  PackedPair taps[kRows][4];  // six_taps() along rows, by row and group.
};

// Each lane makes one; all share the memory.
class LumaWindow {
 public:
  static constexpr int kLeastLanes = h264::kLeastLanes;
  static constexpr int kGroups = 64;  // Groups of four samples, in raster order.

  // Loads what the 16x16 block at (x, y), displaced by a vector with a fraction, is predicted from.
  // All lanes call it. There are kLeastLanes of them or a multiple of that.
  template <class Lanes>
  MILLRACE_FUNCTION LumaWindow(const Lanes& lanes, LumaWindowMemory& memory, const LumaPlane& plane,
                               int x, int y, MotionVector vector)
      : memory_(memory), x_(vector.x & 3), y_(vector.y & 3) {
    constexpr int kSlots = 8;                          // Lanes for a row, of which two idle.
    constexpr int kRowsAtOnce = kLeastLanes / kSlots;  // At least.
    constexpr int kMost = (kRows + kRowsAtOnce - 1) / kRowsAtOnce;
    const int left = x + (vector.x >> 2) - kTapsBefore;
    offset_ = left & 3;
    const int top = y + (vector.y >> 2) - kTapsBefore;
    const int first = left & ~3;
    const bool is_inside = first >= 0 && first + 4 * kLoaded <= plane.width;
    const int column = lanes.lane() % kSlots;
    const int step = lanes.lanes() / kSlots;
    // All words are loaded before any is stored, so that the loads' latencies overlap.
    std::uint32_t words[kMost] = {};
    if (is_inside) {
      MILLRACE_UNROLLED_LOOP
      for (int k = 0; k < kMost; ++k) {
        const int row = lanes.lane() / kSlots + k * step;
        const std::uint8_t* const line = row_of(plane, top + row) + first + 4 * column;
        const bool is_loaded = column < kLoaded && row < kRows;
        words[k] = is_loaded ? *reinterpret_cast<const std::uint32_t*>(line) : 0;
      }
    } else {
      MILLRACE_UNROLLED_LOOP
      for (int k = 0; k < kMost; ++k) {
        const int row = lanes.lane() / kSlots + k * step;
        if (column < kLoaded && row < kRows) {
          words[k] = word_beyond(plane, first + 4 * column, top + row);
        }
      }
    }
    lanes.sync();  // Others may still read what the memory has.
    MILLRACE_UNROLLED_LOOP
    for (int k = 0; k < kMost; ++k) {
      const int row = lanes.lane() / kSlots + k * step;
      if (column < kLoaded && row < kRows) memory_.samples[row][column] = words[k];
    }
    lanes.sync();
    if (!has_j()) return;
    MILLRACE_SMALL_LOOP
    for (int i = lanes.lane(); i < 4 * kRows; i += lanes.lanes()) {
      memory_.taps[i / 4][i % 4] = taps_of_row(i / 4, i % 4);
    }
    lanes.sync();
  }

  // Returns four samples, the first one in the lowest byte, as luma_sample() takes them.
  MILLRACE_FUNCTION std::uint32_t samples(int row, int column) const {
    const bool has_b = x_ != 0 && y_ != 2;
    const bool has_h = y_ != 0 && x_ != 2;
    const bool has_whole = x_ != 2 && y_ != 2 && (x_ == 0 || y_ == 0);
    // One or two of them are set; the sample is the mean of two.
    std::uint32_t first = 0, second = 0;
    const auto add = [&](std::uint32_t samples) {
      first = second;
      second = samples;
    };
    if (has_j()) add(samples_j(row, column));
    if (has_b) add(samples_b(row, column));
    if (has_h) add(samples_h(row, column));
    if (has_whole) add(whole_samples(row + kTapsBefore + (y_ == 3 ? 1 : 0), column));
    const bool is_one =
        (has_j() ? 1 : 0) + (has_b ? 1 : 0) + (has_h ? 1 : 0) + (has_whole ? 1 : 0) == 1;
    return is_one ? second : mean_bytes(first, second);
  }

 private:
  static constexpr int kRows = LumaWindowMemory::kRows;
  static constexpr int kLoaded = 6;  // Words of a row, from that which has its first sample.

  MILLRACE_FUNCTION static const std::uint8_t* row_of(const LumaPlane& plane, int y) {
    return plane.samples + static_cast<std::ptrdiff_t>(clip(0, plane.height - 1, y)) * plane.width;
  }

  // Returns four samples of which some may be beyond the plane.
  MILLRACE_NOINLINE_FUNCTION static std::uint32_t word_beyond(const LumaPlane& plane, int x,
                                                              int y) {
    const std::uint8_t* const line = row_of(plane, y);
    std::uint32_t word = 0;
    MILLRACE_SMALL_LOOP
    for (int k = 0; k < 4; ++k) {
      word |= std::uint32_t{line[clip(0, plane.width - 1, x + k)]} << 8 * k;
    }
    return word;
  }

  MILLRACE_FUNCTION bool has_j() const { return (x_ == 2 && y_ != 0) || (y_ == 2 && x_ != 0); }

  // Returns four samples of a row of the window, `bytes` behind the first one that the filter of a
  // group reads.
  MILLRACE_FUNCTION std::uint32_t word_behind(int row, int column, int bytes) const {
    const int at = offset_ + bytes;
    const std::uint32_t* const word = &memory_.samples[row][column + at / 4];
    return word_at(word[0], word[1], at % 4);
  }

  // Returns samples at whole positions, or those to the right if x_ is 3.
  MILLRACE_FUNCTION std::uint32_t whole_samples(int row, int column) const {
    return word_behind(row, column, kTapsBefore + (x_ == 3 ? 1 : 0));
  }

  MILLRACE_FUNCTION PackedPair taps_of_row(int row, int column) const {
    const std::uint32_t* const words = &memory_.samples[row][column];
    const std::uint32_t w0 = word_at(words[0], words[1], offset_);
    const std::uint32_t w1 = word_at(words[1], words[2], offset_);
    return six_taps_of_row(w0, w1, words[2] >> 8 * offset_);
  }

  // Return half samples: b of the row below if y_ is 3, h of the column to the right if x_ is 3.
  MILLRACE_FUNCTION std::uint32_t samples_b(int row, int column) const {
    const PackedPair taps = taps_of_row(row + kTapsBefore + (y_ == 3 ? 1 : 0), column);
    return packed_half_samples(taps.even) | packed_half_samples(taps.odd) << 8;
  }
  MILLRACE_FUNCTION std::uint32_t samples_h(int row, int column) const {
    std::uint32_t even[6], odd[6];
    for (int k = 0; k < 6; ++k) {
      const std::uint32_t word = whole_samples(row + k, column);
      even[k] = word & kPackedBytes;
      odd[k] = word >> 8 & kPackedBytes;
    }
    return packed_half_samples(
               packed_six_taps(even[0], even[1], even[2], even[3], even[4], even[5])) |
           packed_half_samples(packed_six_taps(odd[0], odd[1], odd[2], odd[3], odd[4], odd[5]))
               << 8;
  }
  MILLRACE_FUNCTION std::uint32_t samples_j(int row, int column) const {
    constexpr int kTaps[6] = {1, -5, 20, 20, -5, 1};
    int sums[4] = {};
    for (int k = 0; k < 6; ++k) {
      const PackedPair taps = memory_.taps[row + k][column];
      sums[0] += kTaps[k] * low_half(taps.even);
      sums[1] += kTaps[k] * low_half(taps.odd);
      sums[2] += kTaps[k] * high_half(taps.even);
      sums[3] += kTaps[k] * high_half(taps.odd);
    }
    std::uint32_t samples = 0;
    for (int k = 0; k < 4; ++k) {
      samples |= std::uint32_t{clip_sample((sums[k] + 512) >> 10)} << 8 * k;
    }
    return samples;
  }

  LumaWindowMemory& memory_;
  int offset_;       // Offset in its word of the first sample that the filter reads.
  const int x_, y_;  // The fraction of the vector, in quarters.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_LUMA_WINDOW_H_
