// SPDX-License-Identifier: Apache-2.0

// A 4x4 block of luma in the registers of one lane, two samples a word, and its prediction from a
// reference: the samples of inter_prediction.h, without a branch for each position.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_PACKED_BLOCK_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_PACKED_BLOCK_H_

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

// Rows of a 4x4 block: `even` has samples 0 and 2, `odd` 1 and 3, the first one in the low half.
struct PackedBlock {
  std::uint32_t even[4];
  std::uint32_t odd[4];

  // Sets a row to four samples, the first one in the lowest byte.
  MILLRACE_FUNCTION void set_row(int y, std::uint32_t samples) {
    even[y] = samples & kPackedBytes;
    odd[y] = samples >> 8 & kPackedBytes;
  }
  MILLRACE_FUNCTION std::uint32_t row(int y) const { return even[y] | odd[y] << 8; }
};

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

// The rows that a block is predicted from, three words each, or four samples more than they have.
struct PackedRows {
  static constexpr int kRows = 9;
  static constexpr int kWords = 3;
  std::uint32_t words[kRows][kWords];
};

// Sets the rows to those of a plane from (x, y) on, as if the plane went on beyond its edges. All
// words are loaded before any is used, so that the loads' latencies overlap.
MILLRACE_FUNCTION inline void load_rows(const LumaPlane& plane, int x, int y, PackedRows& rows) {
  constexpr int kRows = PackedRows::kRows;
  constexpr int kWords = PackedRows::kWords;
  // Three words are read from the aligned one before the first sample.
  if (x >= 0 && (x & ~3) + 4 * kWords <= plane.width) {
    for (int r = 0; r < kRows; ++r) {
      const std::uint8_t* const line =
          plane.samples +
          static_cast<std::ptrdiff_t>(clip(0, plane.height - 1, y + r)) * plane.width;
      const auto* const from = reinterpret_cast<const std::uint32_t*>(line + (x & ~3));
      for (int i = 0; i < kWords; ++i) rows.words[r][i] = from[i];
    }
    for (auto& row : rows.words) {
      for (int i = 0; i + 1 < kWords; ++i) row[i] = word_at(row[i], row[i + 1], x & 3);
      row[kWords - 1] >>= 8 * (x & 3);
    }
    return;
  }
  // In a loop, because few blocks are at an edge and code that is not there is not fetched.
  std::uint8_t samples[kRows * 4 * kWords];
  MILLRACE_SMALL_LOOP
  for (int i = 0; i < kRows * 4 * kWords; ++i) {
    const int at_y = clip(0, plane.height - 1, y + i / (4 * kWords));
    const int at_x = clip(0, plane.width - 1, x + i % (4 * kWords));
    samples[i] = plane.samples[static_cast<std::ptrdiff_t>(at_y) * plane.width + at_x];
  }
  for (int r = 0; r < kRows; ++r) {
    for (int i = 0; i < kWords; ++i) {
      const std::uint8_t* const from = samples + 4 * (kWords * r + i);
      rows.words[r][i] = std::uint32_t{from[0]} | std::uint32_t{from[1]} << 8 |
                         std::uint32_t{from[2]} << 16 | std::uint32_t{from[3]} << 24;
    }
  }
}

// Returns six_taps() of the four samples whose first one is the third of a row, in a PackedBlock's
// order.
struct PackedPair {
  std::uint32_t even, odd;
};
MILLRACE_FUNCTION constexpr std::uint32_t packed_six_taps(std::uint32_t a, std::uint32_t b,
                                                          std::uint32_t c, std::uint32_t d,
                                                          std::uint32_t e, std::uint32_t f) {
  return a + f + 5 * (4 * (c + d) - (b + e));
}
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

// Predicts the 4x4 block at (x, y) by a vector: calls take(i, row) for its rows in order. The rows
// that it is predicted from pass through a window in registers, in a loop, because code of all rows
// is larger than what a multiprocessor keeps of it.
template <class TakeRow>
MILLRACE_FUNCTION inline void predict_packed(const LumaPlane& plane, int x, int y,
                                             MotionVector vector, const TakeRow& take) {
  constexpr int kTapCount = 6;
  constexpr int kTaps[kTapCount] = {1, -5, 20, 20, -5, 1};
  const int fx = vector.x & 3;
  const int fy = vector.y & 3;
  const int right = fx == 3 ? 1 : 0;
  const bool is_below = fy == 3;
  // Samples b, h and j, or whole ones, as luma_sample() takes them.
  const bool has_b = fx != 0 && fy != 2;
  const bool has_h = fy != 0 && fx != 2;
  const bool has_j = (fx == 2 && fy != 0) || (fy == 2 && fx != 0);
  const bool has_whole = fx != 2 && fy != 2 && (fx == 0 || fy == 0);
  PackedRows rows;
  load_rows(plane, x + (vector.x >> 2) - kTapsBefore, y + (vector.y >> 2) - kTapsBefore, rows);
  // The newest rows: whole samples, and taps along them.
  PackedPair whole[kTapCount] = {}, along[kTapCount] = {};
  MILLRACE_SMALL_LOOP
  for (int r = 0; r < PackedRows::kRows; ++r) {
    for (int k = 0; k + 1 < kTapCount; ++k) {
      whole[k] = whole[k + 1];
      along[k] = along[k + 1];
    }
    const std::uint32_t(&row)[PackedRows::kWords] = rows.words[0];
    const std::uint32_t centre = word_at(row[0], row[1], 2 + right);
    whole[kTapCount - 1] = {centre & kPackedBytes, centre >> 8 & kPackedBytes};
    if (has_b || has_j) along[kTapCount - 1] = six_taps_of_row(row[0], row[1], row[2]);
    for (int k = 0; k + 1 < PackedRows::kRows; ++k) {
      for (int i = 0; i < PackedRows::kWords; ++i) rows.words[k][i] = rows.words[k + 1][i];
    }
    if (r + 1 < kTapCount) continue;
    std::uint32_t of_j[2] = {};
    if (has_j) {
      std::int32_t sums[4] = {};
      for (int k = 0; k < kTapCount; ++k) {
        sums[0] += kTaps[k] * low_half(along[k].even);
        sums[1] += kTaps[k] * low_half(along[k].odd);
        sums[2] += kTaps[k] * high_half(along[k].even);
        sums[3] += kTaps[k] * high_half(along[k].odd);
      }
      for (int half = 0; half < 2; ++half) {
        of_j[half] = std::uint32_t{clip_sample((sums[half] + 512) >> 10)} |
                     std::uint32_t{clip_sample((sums[half + 2] + 512) >> 10)} << 16;
      }
    }
    const auto sample = [&](int half, auto member) {
      const std::uint32_t of_b = packed_half_samples((is_below ? along[3] : along[2]).*member);
      const std::uint32_t of_h = packed_half_samples(
          packed_six_taps(whole[0].*member, whole[1].*member, whole[2].*member, whole[3].*member,
                          whole[4].*member, whole[5].*member));
      const std::uint32_t of_whole = (is_below ? whole[3] : whole[2]).*member;
      const std::uint32_t first = has_whole ? of_whole : has_h ? of_h : has_b ? of_b : of_j[half];
      const std::uint32_t second = has_j ? of_j[half] : has_b ? of_b : has_h ? of_h : of_whole;
      return packed_means(first, second);
    };
    take(r + 1 - kTapCount, PackedPair{sample(0, &PackedPair::even), sample(1, &PackedPair::odd)});
  }
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

// The columns of the Hadamard transform of a 4x4 block's differences, two a word, whose rows come
// one by one.
class PackedHadamard {
 public:
  // Adds row i, 0 to 3.
  MILLRACE_FUNCTION void add(int i, const PackedPair& a, const PackedPair& b) {
    const std::uint32_t even = a.even - b.even;
    const std::uint32_t odd = a.odd - b.odd;
    const std::uint32_t values[2] = {even + odd, even - odd};
    for (int k = 0; k < 2; ++k) {
      const std::uint32_t value = values[k];
      columns_[k][0] += value;
      columns_[k][1] += i < 2 ? value : 0 - value;
      columns_[k][2] += (i & 1) == 0 ? value : 0 - value;
      columns_[k][3] += i == 0 || i == 3 ? value : 0 - value;
    }
  }

  // Returns motion::satd_4x4() of the rows.
  MILLRACE_FUNCTION std::uint32_t satd() const {
    std::uint32_t total = 0;
    for (const auto& column : columns_) {
      for (const std::uint32_t value : column) {
        // |low + high| + |low - high| is twice the larger one.
        const int low = low_half(value);
        const int high = high_half(value);
        const int low_size = low < 0 ? -low : low;
        const int high_size = high < 0 ? -high : high;
        total += static_cast<std::uint32_t>(low_size > high_size ? low_size : high_size);
      }
    }
    return total;
  }

 private:
  std::uint32_t columns_[2][4] = {};
};

// Returns the SATD of the 4x4 block at (x, y) as a vector predicts it. `source` are its rows,
// `pitch` words apart.
MILLRACE_NOINLINE_FUNCTION inline std::uint32_t predicted_block_satd(const std::uint8_t* reference,
                                                                     int width, int height, int x,
                                                                     int y, MotionVector vector,
                                                                     const std::uint32_t* source,
                                                                     int pitch) {
  PackedHadamard differences;
  predict_packed({reference, width, height}, x, y, vector, [&](int i, const PackedPair& row) {
    const std::uint32_t samples = source[pitch * i];
    differences.add(i, {samples & kPackedBytes, samples >> 8 & kPackedBytes}, row);
  });
  return differences.satd();
}

// Stores the 4x4 block at (x, y) as a vector predicts it, in rows `pitch` words apart.
MILLRACE_NOINLINE_FUNCTION inline void store_predicted_block(const std::uint8_t* reference,
                                                             int width, int height, int x, int y,
                                                             MotionVector vector, std::uint32_t* to,
                                                             int pitch) {
  predict_packed({reference, width, height}, x, y, vector,
                 [&](int i, const PackedPair& row) { to[pitch * i] = row.even | row.odd << 8; });
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_PACKED_BLOCK_H_
