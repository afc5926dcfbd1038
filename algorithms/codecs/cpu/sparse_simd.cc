// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/codecs/cpu/sparse_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/codecs/cpu/sparse_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires this after foreach_target.h:
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace millrace::codecs {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A block's integers that are not zero, as bits, and the union of their bits.
struct Occupied {
  // One more, because Highway may write past the masks.
  std::uint64_t masks[kSparseValues / 64 + 1];
  std::uint16_t bits;
};

HWY_INLINE void find_occupied(const std::int16_t* HWY_RESTRICT values, Occupied& occupied) {
  const hn::CappedTag<std::int16_t, 32> d;
  auto bits = hn::Zero(d);
#if HWY_TARGET == HWY_SCALAR
  std::memset(occupied.masks, 0, sizeof occupied.masks);
  for (int i = 0; i < kSparseValues; ++i) {
    bits = hn::Or(bits, hn::Load(d, values + i));
    if (values[i] != 0) occupied.masks[i / 64] |= std::uint64_t{1} << (i % 64);
  }
#else
  auto* const masks = reinterpret_cast<std::uint8_t*>(occupied.masks);
  for (std::size_t i = 0; i < kSparseValues; i += hn::Lanes(d)) {
    const auto row = hn::LoadU(d, values + i);
    bits = hn::Or(bits, row);
    hn::StoreMaskBits(d, hn::Ne(row, hn::Zero(d)), masks + i / 8);
  }
#endif
  alignas(64) std::int16_t lanes[hn::MaxLanes(d)];
  hn::Store(bits, d, lanes);
  occupied.bits = 0;
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
    occupied.bits = static_cast<std::uint16_t>(occupied.bits | lanes[lane]);
  }
}

template <class V>
HWY_INLINE std::byte* put(std::byte* to, V value) {
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

// Writes the mask of rows and then the row masks of a block that is not all zero.
HWY_INLINE std::byte* put_masks(const Occupied& occupied, std::byte* to) {
  std::byte* const first = to;
  to += 2;
  std::uint16_t rows = 0;
  for (int row = 0; row < kSparseRow; ++row) {
    const auto mask = static_cast<std::uint16_t>(occupied.masks[row / 4] >> (row % 4 * 16));
    put(to, mask);
    to += mask != 0 ? 2 : 0;
    rows = static_cast<std::uint16_t>(rows | (mask != 0 ? 1U : 0U) << row);
  }
  put(first, rows);
  return to;
}

// Copies the integers that are not zero to the front of `gathered` and returns their number. Copies
// four at a time, mostly too many, because a loop with a data-dependent end is slower.
HWY_INLINE std::size_t gather(const std::int16_t* values, const Occupied& occupied,
                              std::int16_t (&gathered)[kSparseValues + 4]) {
  std::size_t count = 0;
  for (int word = 0; word < kSparseValues / 64; ++word) {
    std::uint64_t mask = occupied.masks[word];
    const std::size_t end = count + static_cast<std::size_t>(std::popcount(mask));
    for (std::size_t at = count; at < end; at += 4) {
      for (std::size_t k = 0; k < 4; ++k, mask &= mask - 1) {
        gathered[at + k] = values[64 * word + std::countr_zero(mask) % 64];
      }
    }
    count = end;
  }
  return count;
}

// Writes some bytes more than the block has, but none past the largest possible size.
HWY_INLINE std::byte* put_values(const std::int16_t* values, const Occupied& occupied, int shift,
                                 std::byte* to) {
  const hn::CappedTag<std::int16_t, 32> d;
  const hn::Rebind<std::int8_t, decltype(d)> bytes;
  std::int16_t gathered[kSparseValues + 4];
  const std::size_t count = gather(values, occupied, gathered);
  std::int16_t escapes[kSparseValues];
  std::size_t escaped = 0;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto shifted = hn::ShiftRightSame(hn::LoadU(d, gathered + i), shift);
    const auto fits = hn::And(hn::Gt(shifted, hn::Set(d, std::int16_t{-128})),
                              hn::Lt(shifted, hn::Set(d, std::int16_t{128})));
    const auto small = hn::IfThenElse(fits, shifted, hn::Set(d, std::int16_t{kEscape}));
    hn::StoreU(hn::DemoteTo(bytes, small), bytes, reinterpret_cast<std::int8_t*>(to + i));
    if (hn::AllTrue(d, fits)) continue;
    for (std::size_t k = i; k < std::min(count, i + hn::Lanes(d)); ++k) {
      escapes[escaped] = gathered[k];
      escaped += is_escaped(gathered[k], shift) ? 1 : 0;
    }
  }
  to += count;
  if (count % 2 != 0) to = put(to, std::int8_t{0});
  std::memcpy(to, escapes, sizeof(std::int16_t) * escaped);
  return to + sizeof(std::int16_t) * escaped;
}

}  // namespace

std::size_t encode_tile(const CoefficientBlock* blocks, std::size_t count, std::byte* tile) {
  SparseTileHead head{};
  std::byte* to = tile + sizeof head;
  for (std::size_t i = 0; i < kSparseTileBlocks; ++i) {
    if (i < count) {
      Occupied occupied;
      find_occupied(blocks[i].values, occupied);
      if (occupied.bits != 0) {
        const int shift = std::countr_zero(occupied.bits);
        head.shifts[i] = static_cast<std::uint8_t>(shift);
        to = put_values(blocks[i].values, occupied, shift, put_masks(occupied, to));
      }
    }
    head.ends[i] = static_cast<std::uint16_t>((to - tile) / 2);
  }
  std::memcpy(tile, &head, sizeof head);
  const auto bytes = static_cast<std::size_t>(to - tile);
  std::memset(to, 0, round_up_to_unit(bytes) - bytes);
  return round_up_to_unit(bytes);
}

}  // namespace HWY_NAMESPACE
}  // namespace millrace::codecs
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::codecs {
namespace {

// The masks and values of a block that were verified to be complete.
struct BlockLayout {
  std::uint32_t rows;
  const std::byte* masks;
  const std::byte* values;
  const std::byte* escapes;
};

std::uint16_t word_at(const std::byte* position) {
  std::uint16_t word;
  std::memcpy(&word, position, sizeof word);
  return word;
}

// Returns true if the block's size is what its masks and escapes require.
bool find_layout(const std::byte* block, std::uint32_t bytes, BlockLayout& layout) {
  if (bytes < 2) return false;
  layout.rows = word_at(block);
  layout.masks = block + 2;
  const auto rows = static_cast<std::uint32_t>(std::popcount(layout.rows));
  if (bytes < sparse_bytes(rows, 0, 0)) return false;
  std::uint32_t values = 0;
  for (std::uint32_t row = 0; row < rows; ++row) {
    values += static_cast<std::uint32_t>(std::popcount(word_at(layout.masks + 2 * row)));
  }
  if (bytes < sparse_bytes(rows, values, 0)) return false;
  layout.values = layout.masks + 2 * rows;
  layout.escapes = layout.values + values + values % 2;
  std::uint32_t escapes = 0;
  for (std::uint32_t i = 0; i < values; ++i) {
    escapes += static_cast<std::int8_t>(layout.values[i]) == kEscape ? 1 : 0;
  }
  return bytes == sparse_bytes(rows, values, escapes);
}

void scatter_values(const BlockLayout& layout, int shift, std::int16_t* values) {
  const std::byte* masks = layout.masks;
  const std::byte* small = layout.values;
  const std::byte* escapes = layout.escapes;
  for (std::uint32_t rows = layout.rows; rows != 0; rows &= rows - 1, masks += 2) {
    std::int16_t* const row = values + kSparseRow * std::countr_zero(rows);
    for (std::uint32_t mask = word_at(masks); mask != 0; mask &= mask - 1, ++small) {
      const auto byte = static_cast<std::int8_t>(*small);
      std::int16_t& value = row[std::countr_zero(mask)];
      if (byte == kEscape) {
        value = static_cast<std::int16_t>(word_at(escapes));
        escapes += 2;
      } else {
        value = static_cast<std::int16_t>(byte * (1 << shift));
      }
    }
  }
}

}  // namespace

HWY_EXPORT(encode_tile);

std::size_t encode_sparse_tile(std::span<const CoefficientBlock> blocks, std::byte* tile) {
  return HWY_DYNAMIC_DISPATCH(encode_tile)(blocks.data(), blocks.size(), tile);
}

bool decode_sparse_tile(std::span<const std::byte> tile, std::span<CoefficientBlock> blocks) {
  SparseTileHead head;
  if (tile.size() < sizeof head) return false;
  std::memcpy(&head, tile.data(), sizeof head);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const SparsePosition position = sparse_position(head, static_cast<int>(i), tile.size());
    if (!position.is_good) return false;
    std::memset(&blocks[i], 0, sizeof blocks[i]);
    if (position.bytes == 0) continue;
    BlockLayout layout;
    if (!find_layout(tile.data() + position.begin, position.bytes, layout)) return false;
    scatter_values(layout, head.shifts[i], blocks[i].values);
  }
  return true;
}

}  // namespace millrace::codecs
#endif  // HWY_ONCE
