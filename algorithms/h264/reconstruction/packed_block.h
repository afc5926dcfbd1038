// SPDX-License-Identifier: Apache-2.0

// Rows of four samples of luma in the registers of one lane, two samples a word, and their
// prediction from a reference: the samples of inter_prediction.h, without a branch for each
// position.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_PACKED_BLOCK_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_PACKED_BLOCK_H_

#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Numbers of 16 bits in one word are added and subtracted as one integer, low + 65536 * high, which
// is exact whatever their signs.
inline constexpr std::uint32_t kPackedBytes = 0x00ff00ff;
inline constexpr std::uint32_t kPackedOnes = 0x00010001;

// Rows of four samples: `even` has samples 0 and 2, `odd` 1 and 3, the first one in the low half.
template <int rows>
struct PackedRows {
  std::uint32_t even[rows];
  std::uint32_t odd[rows];

  // Sets a row to four samples, the first one in the lowest byte.
  MILLRACE_FUNCTION void set_row(int y, std::uint32_t samples) {
    even[y] = samples & kPackedBytes;
    odd[y] = samples >> 8 & kPackedBytes;
  }
  MILLRACE_FUNCTION std::uint32_t row(int y) const { return even[y] | odd[y] << 8; }
};

using PackedBlock = PackedRows<4>;  // A 4x4 block.

// A plane of luma, with rows and memory aligned to 4 bytes.
struct LumaPlane {
  const std::uint8_t* samples;
  int width;
  int height;
};

// Returns the 32 bits that begin `bytes` bytes, 0 to 3, behind the lowest byte of `low`.
MILLRACE_FUNCTION constexpr std::uint32_t word_at(std::uint32_t low, std::uint32_t high,
                                                  int bytes) {
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> (8 * bytes));
}

// Returns samples of one row of a plane, from column x on, as if the plane went on beyond its
// edges: `words` of them, 4 samples each.
template <int words>
MILLRACE_FUNCTION inline void load_row(const LumaPlane& plane, int x, int y, bool is_inside,
                                       std::uint32_t (&row)[words]) {
  const std::uint8_t* const line =
      plane.samples + static_cast<std::ptrdiff_t>(clip(0, plane.height - 1, y)) * plane.width;
  if (is_inside) {
    const auto* const from = reinterpret_cast<const std::uint32_t*>(line + (x & ~3));
    std::uint32_t loaded[words];
    for (int i = 0; i < words; ++i) loaded[i] = from[i];
    for (int i = 0; i + 1 < words; ++i) row[i] = word_at(loaded[i], loaded[i + 1], x & 3);
    row[words - 1] = loaded[words - 1] >> 8 * (x & 3);
    return;
  }
  for (int i = 0; i < words; ++i) {
    row[i] = 0;
    for (int k = 0; k < 4; ++k) {
      row[i] |= std::uint32_t{line[clip(0, plane.width - 1, x + 4 * i + k)]} << 8 * k;
    }
  }
}

// Four values in the order of PackedRows.
struct PackedPair {
  std::uint32_t even, odd;
};
MILLRACE_FUNCTION constexpr std::uint32_t packed_six_taps(std::uint32_t a, std::uint32_t b,
                                                          std::uint32_t c, std::uint32_t d,
                                                          std::uint32_t e, std::uint32_t f) {
  return a + f + 5 * (4 * (c + d) - (b + e));
}

// Returns six_taps() of the four samples whose first one is the third of the row w0, w1, w2.
MILLRACE_FUNCTION inline PackedPair six_taps_of_row(std::uint32_t w0, std::uint32_t w1,
                                                    std::uint32_t w2) {
  const std::uint32_t p0 = w0 & kPackedBytes;
  const std::uint32_t p1 = w0 >> 8 & kPackedBytes;
  const std::uint32_t p2 = word_at(w0, w1, 2) & kPackedBytes;
  const std::uint32_t p3 = word_at(w0, w1, 3) & kPackedBytes;
  const std::uint32_t p4 = w1 & kPackedBytes;
  const std::uint32_t p5 = w1 >> 8 & kPackedBytes;
  const std::uint32_t p6 = word_at(w1, w2, 2) & kPackedBytes;
  return {packed_six_taps(p0, p1, p2, p3, p4, p5), packed_six_taps(p1, p2, p3, p4, p5, p6)};
}

// Returns the low or high number of a word of two.
MILLRACE_FUNCTION constexpr int low_half(std::uint32_t word) {
  return static_cast<std::int16_t>(word & 0xffff);
}
MILLRACE_FUNCTION constexpr int high_half(std::uint32_t word) {
  return static_cast<std::int16_t>((word - static_cast<std::uint32_t>(low_half(word))) >> 16);
}

// Returns samples of six_taps() along one direction.
MILLRACE_FUNCTION constexpr std::uint32_t packed_half_samples(std::uint32_t taps) {
  // 80 * 32 makes all of them positive.
  const std::uint32_t sum = (taps + (16 + 80 * 32) * kPackedOnes) >> 5;
  const int low = static_cast<int>(sum & 0x7ff) - 80;
  const int high = static_cast<int>(sum >> 16 & 0x7ff) - 80;
  return std::uint32_t{clip_sample(low)} | std::uint32_t{clip_sample(high)} << 16;
}

MILLRACE_FUNCTION constexpr std::uint32_t packed_means(std::uint32_t a, std::uint32_t b) {
  return (a + b + kPackedOnes) >> 1 & kPackedBytes;
}

// Returns the prediction of rows of four samples, the first one at (x, y), by a vector. The loop
// over rows is unrolled, because otherwise each row waits for the one before.
template <int rows = 4>
MILLRACE_FUNCTION inline PackedRows<rows> predict_packed(const LumaPlane& plane, int x, int y,
                                                         MotionVector vector) {
  constexpr int kRead = rows + kTapsBefore + kTapsAfter;  // Rows that the filter reads.
  const int fx = vector.x & 3;
  const int fy = vector.y & 3;
  const int left = x + (vector.x >> 2) - kTapsBefore;
  const int top = y + (vector.y >> 2) - kTapsBefore;
  const int right = fx == 3 ? 1 : 0;
  const bool is_below = fy == 3;
  // Samples b, h and j, or whole ones, as luma_sample() takes them.
  const bool has_b = fx != 0 && fy != 2;
  const bool has_h = fy != 0 && fx != 2;
  const bool has_j = (fx == 2 && fy != 0) || (fy == 2 && fx != 0);
  const bool is_tall = has_h || has_j;
  // Three words are read from the aligned one before the first sample.
  const bool is_inside = left >= 0 && (left & ~3) + 12 <= plane.width;
  PackedRows<rows> whole = {}, b = {}, h = {};
  std::int32_t j[rows][4] = {};
  constexpr int kTaps[6] = {1, -5, 20, 20, -5, 1};
  // All rows are loaded before any is used, so that the loads' latencies overlap.
  std::uint32_t read[kRead][3];
  for (int r = 0; r < kRead; ++r) load_row(plane, left, top + r, is_inside, read[r]);
  for (int r = 0; r < kRead; ++r) {
    const bool is_middle = r >= 2 && r < rows + 3;
    if (!is_middle && !is_tall) continue;
    const std::uint32_t(&row)[3] = read[r];
    const std::uint32_t centre = word_at(row[0], row[1], 2 + right);
    const std::uint32_t even = centre & kPackedBytes;
    const std::uint32_t odd = centre >> 8 & kPackedBytes;
    if (is_middle) {
      // Row r - 2, or that above it, where samples below are meant.
      if (r < rows + 2 && !is_below) {
        whole.even[r - 2] = even;
        whole.odd[r - 2] = odd;
      }
      if (r > 2 && is_below) {
        whole.even[r - 3] = even;
        whole.odd[r - 3] = odd;
      }
    }
    if (has_h) {
      for (int i = 0; i < rows; ++i) {
        if (r < i || r >= i + 6) continue;
        h.even[i] += static_cast<std::uint32_t>(kTaps[r - i]) * even;
        h.odd[i] += static_cast<std::uint32_t>(kTaps[r - i]) * odd;
      }
    }
    if (has_j || (has_b && is_middle)) {
      const PackedPair taps = six_taps_of_row(row[0], row[1], row[2]);
      if (is_middle) {
        if (r < rows + 2 && !is_below) {
          b.even[r - 2] = taps.even;
          b.odd[r - 2] = taps.odd;
        }
        if (r > 2 && is_below) {
          b.even[r - 3] = taps.even;
          b.odd[r - 3] = taps.odd;
        }
      }
      if (has_j) {
        const int values[4] = {low_half(taps.even), low_half(taps.odd), high_half(taps.even),
                               high_half(taps.odd)};
        for (int i = 0; i < rows; ++i) {
          if (r < i || r >= i + 6) continue;
          for (int k = 0; k < 4; ++k) j[i][k] += kTaps[r - i] * values[k];
        }
      }
    }
  }
  PackedRows<rows> result;
  const bool has_whole = fx != 2 && fy != 2 && (fx == 0 || fy == 0);
  for (int i = 0; i < rows; ++i) {
    for (int half = 0; half < 2; ++half) {
      const std::uint32_t of_b = packed_half_samples(half == 0 ? b.even[i] : b.odd[i]);
      const std::uint32_t of_h = packed_half_samples(half == 0 ? h.even[i] : h.odd[i]);
      const std::uint32_t of_j = std::uint32_t{clip_sample((j[i][half] + 512) >> 10)} |
                                 std::uint32_t{clip_sample((j[i][half + 2] + 512) >> 10)} << 16;
      const std::uint32_t of_whole = half == 0 ? whole.even[i] : whole.odd[i];
      const std::uint32_t first = has_whole ? of_whole : has_h ? of_h : has_b ? of_b : of_j;
      const std::uint32_t second = has_j ? of_j : has_b ? of_b : has_h ? of_h : of_whole;
      (half == 0 ? result.even : result.odd)[i] = packed_means(first, second);
    }
  }
  return result;
}

// Returns the four samples of a plane at (x, y), as if it went on beyond its edges, the first one
// in the lowest byte.
MILLRACE_FUNCTION inline std::uint32_t four_samples(const LumaPlane& plane, int x, int y) {
  const std::uint8_t* const line =
      plane.samples + static_cast<std::ptrdiff_t>(clip(0, plane.height - 1, y)) * plane.width;
  if (x >= 0 && x + 4 <= plane.width) {
    const auto* const from = reinterpret_cast<const std::uint32_t*>(line + (x & ~3));
    return word_at(from[0], (x & 3) != 0 ? from[1] : 0, x & 3);
  }
  std::uint32_t samples = 0;
  MILLRACE_SMALL_LOOP
  for (int k = 0; k < 4; ++k) {
    samples |= std::uint32_t{line[clip(0, plane.width - 1, x + k)]} << 8 * k;
  }
  return samples;
}

// Returns motion::satd_4x4() of the differences between two blocks.
MILLRACE_FUNCTION inline std::uint32_t packed_satd(const PackedBlock& a, const PackedBlock& b) {
  std::uint32_t sums[4], differences[4];
  for (int y = 0; y < 4; ++y) {
    const std::uint32_t even = a.even[y] - b.even[y];
    const std::uint32_t odd = a.odd[y] - b.odd[y];
    sums[y] = even + odd;
    differences[y] = even - odd;
  }
  std::uint32_t total = 0;
  const auto add = [&total](const std::uint32_t(&column)[4]) {
    const std::uint32_t s01 = column[0] + column[1];
    const std::uint32_t d01 = column[0] - column[1];
    const std::uint32_t s23 = column[2] + column[3];
    const std::uint32_t d23 = column[2] - column[3];
    const std::uint32_t rows[4] = {s01 + s23, s01 - s23, d01 + d23, d01 - d23};
    for (int i = 0; i < 4; ++i) {
      // |low + high| + |low - high| is twice the larger one.
      const int low = low_half(rows[i]);
      const int high = high_half(rows[i]);
      const int low_size = low < 0 ? -low : low;
      const int high_size = high < 0 ? -high : high;
      total += static_cast<std::uint32_t>(low_size > high_size ? low_size : high_size);
    }
  };
  add(sums);
  add(differences);
  return total;
}

// Returns the SATD of the 4x4 block at (x, y) as a vector predicts it. `source` are its rows
// at a distance of `pitch` words. Unless `to` is null it is given the prediction, in rows of 4
// bytes at a distance of `to_pitch` bytes; one function does both, so that kernels have the
// prediction once.
MILLRACE_NOINLINE_FUNCTION inline std::uint32_t predicted_block_satd(LumaPlane reference, int x,
                                                                     int y, MotionVector vector,
                                                                     const std::uint32_t* source,
                                                                     int pitch, std::uint8_t* to,
                                                                     int to_pitch) {
  const PackedBlock predicted = predict_packed(reference, x, y, vector);
  PackedBlock block;
  for (int row = 0; row < 4; ++row) {
    block.set_row(row, source[pitch * row]);
    if (to == nullptr) continue;
    *reinterpret_cast<std::uint32_t*>(to + to_pitch * row) = predicted.row(row);
  }
  return packed_satd(block, predicted);
}

// Returns the SATD of a 4x4 block and its prediction. `source` are its rows at a distance of
// `pitch` words; those of the prediction have their first sample in the lowest byte.
MILLRACE_NOINLINE_FUNCTION inline std::uint32_t block_satd_of_rows(const std::uint32_t* source,
                                                                   int pitch, std::uint32_t row0,
                                                                   std::uint32_t row1,
                                                                   std::uint32_t row2,
                                                                   std::uint32_t row3) {
  const std::uint32_t rows[4] = {row0, row1, row2, row3};
  PackedBlock block, predicted;
  for (int row = 0; row < 4; ++row) {
    block.set_row(row, source[pitch * row]);
    predicted.set_row(row, rows[row]);
  }
  return packed_satd(block, predicted);
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_PACKED_BLOCK_H_
