// SPDX-License-Identifier: Apache-2.0

// A lane's part of a block of 256 coefficients in the sparse codec (sparse_format.h): 8 adjacent
// ones in a warp of 32 lanes, 4 in a warp of 64.
#ifndef MILLRACE_ALGORITHMS_CODECS_GPU_SPARSE_LANE_H_
#define MILLRACE_ALGORITHMS_CODECS_GPU_SPARSE_LANE_H_

#include <millrace/algorithms/codecs/bit_packing.h>
#include <millrace/algorithms/codecs/gpu/tiles.h>
#include <millrace/algorithms/codecs/sparse_format.h>
#include <millrace/backends/gpu/api.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

MILLRACE_FUNCTION inline int values_of_lane() { return codecs::kSparseValues / warp_width(); }

// Number of words of two coefficients each, the first one in the lower half.
MILLRACE_FUNCTION inline int words_per_lane() { return values_of_lane() / 2; }
inline constexpr int kMostWordsPerLane = 4;

// Number of lanes that have one row, and the caller's index among them.
MILLRACE_FUNCTION inline int lanes_per_row() { return codecs::kSparseRow / values_of_lane(); }
MILLRACE_FUNCTION inline int row_of_lane() { return lane_index() / lanes_per_row(); }
MILLRACE_FUNCTION inline int lane_in_row() { return lane_index() % lanes_per_row(); }

MILLRACE_FUNCTION constexpr std::uint32_t ones(std::uint32_t mask) {
  mask -= (mask >> 1) & 0x55555555u;
  mask = (mask & 0x33333333u) + ((mask >> 2) & 0x33333333u);
  return (((mask + (mask >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}

// Returns the bits of the rows below `row`.
MILLRACE_FUNCTION constexpr std::uint32_t rows_before(std::uint32_t rows, int row) {
  return rows & ((1u << row) - 1);
}

// The counts and masks, of a lane and of its warp, that encode a block. All lanes construct it.
class SparseLane {
 public:
  MILLRACE_FUNCTION explicit SparseLane(const codecs::CoefficientBlock& block) {
    const auto* const words = reinterpret_cast<const std::uint32_t*>(&block);
    std::uint32_t bits = 0;
    for (int k = 0; k < words_per_lane(); ++k) {
      words_[k] = words[lane_index() * words_per_lane() + k];
      bits |= words_[k];
    }
    bits = warp_or(bits);
    bits = (bits | bits >> 16) & 0xffff;
    shift_ = bits == 0 ? 0 : codecs::bits_of(bits & (~bits + 1)) - 1;
    std::uint32_t escapes = 0;
    for (int i = 0; i < values_of_lane(); ++i) {
      if (value(i) == 0) continue;
      mask_ |= 1u << i;
      escapes += codecs::is_escaped(value(i), shift_) ? 1 : 0;
    }
    row_mask_ = mask_ << (lane_in_row() * values_of_lane());
    for (int step = 1; step < lanes_per_row(); step *= 2) {
      row_mask_ |= shuffle_xor(row_mask_, step);
    }
    rows_ = warp_or(row_mask_ != 0 ? 1u << row_of_lane() : 0u);
    const std::uint32_t own = ones(mask_) | escapes << 16;
    const std::uint32_t sum = inclusive_sum(own);
    before_ = sum - own;
    total_ = shuffle(sum, warp_width() - 1);
  }

  MILLRACE_FUNCTION int shift() const { return shift_; }

  MILLRACE_FUNCTION std::uint32_t block_bytes() const {
    return rows_ == 0 ? 0 : codecs::sparse_bytes(ones(rows_), values(), total_ >> 16);
  }

  // Writes block_bytes() bytes together with the other lanes.
  MILLRACE_FUNCTION void write(std::byte* to) const {
    if (rows_ == 0) return;
    auto* const row_masks = reinterpret_cast<std::uint16_t*>(to) + 1;
    auto* const small = reinterpret_cast<std::int8_t*>(row_masks + ones(rows_));
    auto* escape = reinterpret_cast<std::int16_t*>(small + values() + values() % 2);
    if (lane_index() == 0) {
      row_masks[-1] = static_cast<std::uint16_t>(rows_);
      if (values() % 2 != 0) small[values()] = 0;
    }
    if (row_mask_ != 0 && lane_in_row() == 0) {
      row_masks[ones(rows_before(rows_, row_of_lane()))] = static_cast<std::uint16_t>(row_mask_);
    }
    std::int8_t* next = small + (before_ & 0xffff);
    escape += before_ >> 16;
    for (int i = 0; i < values_of_lane(); ++i) {
      const int coefficient = value(i);
      if (coefficient == 0) continue;
      const bool is_large = codecs::is_escaped(coefficient, shift_);
      *next++ = static_cast<std::int8_t>(is_large ? codecs::kEscape : coefficient >> shift_);
      if (is_large) *escape++ = static_cast<std::int16_t>(coefficient);
    }
  }

 private:
  MILLRACE_FUNCTION int value(int i) const {
    return static_cast<std::int16_t>(words_[i / 2] >> (i % 2 * 16));
  }
  // Returns the number of values of the whole block that are not zero.
  MILLRACE_FUNCTION std::uint32_t values() const { return total_ & 0xffff; }

  std::uint32_t words_[kMostWordsPerLane];
  int shift_ = 0;
  std::uint32_t mask_ = 0;      // Mask of the lane's coefficients that are not zero.
  std::uint32_t row_mask_ = 0;  // Mask of its row's.
  std::uint32_t rows_ = 0;
  std::uint32_t before_ = 0;  // Values, and escapes << 16, of lanes before this one.
  std::uint32_t total_ = 0;   // The same of all lanes.
};

// Decodes a block together with the other lanes of a warp. Returns, to all lanes alike, true if it
// is intact. Reads nothing outside of `bytes`.
MILLRACE_FUNCTION inline bool decode_block(const std::byte* from, std::uint32_t bytes, int shift,
                                           codecs::CoefficientBlock* block) {
  const auto* const row_masks = reinterpret_cast<const std::uint16_t*>(from) + 1;
  const std::uint32_t rows = bytes < 2 ? 0 : row_masks[-1];
  const std::uint32_t row_count = ones(rows);
  if (bytes > 0 && bytes < codecs::sparse_bytes(row_count, 0, 0)) return false;
  std::uint32_t mask = 0;
  if ((rows >> row_of_lane() & 1) != 0) {
    mask = row_masks[ones(rows_before(rows, row_of_lane()))] >> (lane_in_row() * values_of_lane());
    mask &= (1u << values_of_lane()) - 1;
  }
  const std::uint32_t end = inclusive_sum(ones(mask));
  const std::uint32_t values = shuffle(end, warp_width() - 1);
  if (bytes > 0 && bytes < codecs::sparse_bytes(row_count, values, 0)) return false;
  const auto* const small = reinterpret_cast<const std::int8_t*>(row_masks + row_count);
  const std::int8_t* const own = small + (end - ones(mask));
  std::uint32_t escapes = 0;
  for (std::uint32_t i = 0; i < ones(mask); ++i) escapes += own[i] == codecs::kEscape ? 1 : 0;
  const std::uint32_t escape_end = inclusive_sum(escapes);
  const std::uint32_t all_escapes = shuffle(escape_end, warp_width() - 1);
  if (bytes > 0 && bytes != codecs::sparse_bytes(row_count, values, all_escapes)) return false;
  const std::int8_t* next = own;
  const auto* escape =
      reinterpret_cast<const std::int16_t*>(small + values + values % 2) + (escape_end - escapes);
  auto* const target = reinterpret_cast<std::uint32_t*>(block) + lane_index() * words_per_lane();
  for (int k = 0; k < words_per_lane(); ++k) {
    std::uint32_t word = 0;
    for (int half = 0; half < 2; ++half) {
      if ((mask >> (2 * k + half) & 1) == 0) continue;
      const std::int8_t byte = *next++;
      const int value = byte == codecs::kEscape ? *escape++ : byte * (1 << shift);
      word |= (static_cast<std::uint32_t>(value) & 0xffff) << (16 * half);
    }
    target[k] = word;
  }
  return true;
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_CODECS_GPU_SPARSE_LANE_H_
