// SPDX-License-Identifier: Apache-2.0

// Sums of absolute differences of two 4x4 blocks at as many positions as a vector has lanes of 16
// bits, in the instructions of the target being compiled. A part of motion_simd.cc.

#include <millrace/algorithms/motion_estimation/cpu/eight_samples_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/search_window.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SADS_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SADS_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SADS_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SADS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Lanes are candidates.
using SumTag = hn::CappedTag<std::uint16_t, 32>;
using Sums = hn::Vec<SumTag>;

HWY_INLINE std::size_t columns() { return hn::Lanes(SumTag()); }

// columns() columns of a window, and the offsets of their samples in a row of Sads. Sads::column()
// maps lanes to columns.
struct Tile {
  int first;
  int distance;               // From eight columns to the next eight, for SadsByFours.
  std::ptrdiff_t left_half;   // For blocks 0 and 4 samples from the macroblock's left.
  std::ptrdiff_t right_half;  // Serves blocks 8 and 12 samples from its left.
};

// Sums of two adjacent 4x4 blocks.
struct PairSums {
  Sums left;
  Sums right;
};

// For any samples on any target: a row of the window as 16-bit integers.
template <class Sample>
class WideSads {
 public:
  using Element = std::uint16_t;

  static constexpr bool kHasPairs = false;  // There is no copy() for rows of two tiles.
  static constexpr std::size_t kMostRowElements = hn::MaxLanes(SumTag()) + kMacroblockWidth;

  static HWY_INLINE std::size_t row_elements() { return columns() + kMacroblockWidth; }

  // Makes `rows` rows of one tile, expanded(), whose columns begin at `first`, from the window's.
  static HWY_INLINE void expand(const SearchWindow<Sample>& window, int first, int rows,
                                Element* to) {
    for (int y = 0; y < rows; ++y, to += row_elements()) {
      const Sample* const from = window.row(y) + first;
      for (std::size_t i = 0; i < row_elements(); ++i) to[i] = from[i];
    }
  }

  static HWY_INLINE Tile expanded(int first) { return {first, 8, 0, 8}; }

  static HWY_INLINE int column(const Tile& tile, int lane) { return tile.first + lane; }

  // Loads the element of each of the tile's columns.
  static HWY_INLINE Sums load_columns(const std::uint16_t* from, const Tile& tile) {
    return hn::LoadU(SumTag(), from + tile.first);
  }

  // Selects the blocks at (x, y) and (x + 4, y) of `current`, the macroblock, 16 samples per row.
  HWY_INLINE WideSads(const Sample* current, int x, int y)
      : current_(current + kMacroblockWidth * y + x), y_(y) {}

  // Returns the sums; `rows` is the half of the tile with the blocks, from the candidates' row on.
  HWY_INLINE PairSums operator()(const Element* rows) const {
    rows += row_elements() * static_cast<std::size_t>(y_);
    return {block(rows, 0), block(rows, 4)};
  }

 private:
  HWY_INLINE Sums block(const Element* rows, int x) const {
    const SumTag d;
    const hn::RebindToSigned<SumTag> ds;
    auto sum = hn::Zero(ds);
    for (int row = 0; row < 4; ++row) {
      for (int i = x; i < x + 4; ++i) {
        const auto reference = hn::LoadU(d, rows + row_elements() * row + i);
        const auto current = hn::Set(d, current_[kMacroblockWidth * row + i]);
        sum = hn::Add(sum, hn::Abs(hn::BitCast(ds, hn::Sub(reference, current))));
      }
    }
    return hn::BitCast(d, sum);
  }

  const Sample* current_;
  int y_;
};

template <class Sample>
struct SadsOf {
  using Type = WideSads<Sample>;
};

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4

// Adds four differences at a time, with an instruction that computes the sums of eight candidates
// from 16 bytes. A vector loaded from the window serves every other eight columns, and one loaded
// from its ninth byte on serves those between: together a pair of tiles, with three vectors per
// row. For a single tile, a row is two vectors in which bytes are repeated.
class SadsByFours {
  using ByteTag = hn::Repartition<std::uint8_t, SumTag>;
  using Window = SearchWindow<std::uint8_t>;

 public:
  using Element = std::uint8_t;

  // True if a vector has more than the 16 bytes for eight candidates.
  static constexpr bool kHasPairs = hn::MaxLanes(SumTag()) > 8;
  static constexpr std::size_t kMostRowElements = 3 * hn::MaxLanes(ByteTag());

  static HWY_INLINE std::size_t row_elements() { return (kHasPairs ? 3 : 2) * vector_size(); }

  // Makes rows of two tiles, copied(), whose columns begin at `first`, from the window's.
  static HWY_INLINE void copy(const Window& window, int first, int rows, Element* to) {
    const ByteTag d;
    for (int y = 0; y < rows; ++y, to += row_elements()) {
      const std::uint8_t* const from = window.row(y) + first;
      hn::Store(hn::LoadU(d, from), d, to);
      hn::Store(hn::LoadU(d, from + 8), d, to + vector_size());
      hn::Store(hn::LoadU(d, from + 16), d, to + 2 * vector_size());
    }
  }

  // Returns tile 0 or 1 of the pair whose columns begin at `first`.
  static HWY_INLINE Tile copied(int first, int tile) {
    const auto vector = static_cast<std::ptrdiff_t>(vector_size());
    return {first + 8 * tile, 16, vector * tile, vector * (tile + 1)};
  }

  static HWY_INLINE void expand(const Window& window, int first, int rows, Element* to) {
    const ByteTag d;
    for (int y = 0; y < rows; ++y, to += row_elements()) {
      const std::uint8_t* const from = window.row(y) + first;
      hn::Store(overlapping_blocks(d, from), d, to);
      hn::Store(overlapping_blocks(d, from + 8), d, to + vector_size());
    }
  }

  static HWY_INLINE Tile expanded(int first) {
    return {first, 8, 0, static_cast<std::ptrdiff_t>(vector_size())};
  }

  static HWY_INLINE int column(const Tile& tile, int lane) {
    return tile.first + lane / 8 * tile.distance + lane % 8;
  }

  static HWY_INLINE Sums load_columns(const std::uint16_t* from, const Tile& tile) {
    return load_eights(SumTag(), from + tile.first, tile.distance);
  }

  HWY_INLINE SadsByFours(const std::uint8_t* current, int x, int y)
      : SadsByFours(current + kMacroblockWidth * y + x,
                    row_elements() * static_cast<std::size_t>(y)) {}

  HWY_INLINE PairSums operator()(const Element* rows) const {
    rows += offset_;
    const auto row0 = load_row(rows, 0);
    const auto row1 = load_row(rows, 1);
    const auto row2 = load_row(rows, 2);
    const auto row3 = load_row(rows, 3);
    return {block<0>(row0, row1, row2, row3), block<4>(row0, row1, row2, row3)};
  }

 private:
  using Row = EightSamples<SumTag>;

  static HWY_INLINE std::size_t vector_size() { return hn::Lanes(ByteTag()); }

  // Written out so that the members stay in registers.
  HWY_INLINE SadsByFours(const std::uint8_t* current, std::size_t offset)
      : offset_(offset),
        current_{row(current, 0), row(current, 1), row(current, 2), row(current, 3)} {}

  // Loads eight elements, then eight that begin `distance` after these, and so on.
  template <class D>
  static HWY_INLINE hn::Vec<D> load_eights(D d, const std::uint16_t* from, int distance) {
    if constexpr (hn::MaxLanes(d) > 8) {
      const hn::Half<D> half;
      const int eights = static_cast<int>(hn::MaxLanes(half) / 8);
      return hn::Combine(d, load_eights(half, from + eights * distance, distance),
                         load_eights(half, from, distance));
    } else {
      return hn::LoadU(d, from);
    }
  }

  static HWY_INLINE Row row(const std::uint8_t* current, int y) {
    return Row(current + kMacroblockWidth * y);
  }

  static HWY_INLINE hn::Vec<ByteTag> load_row(const Element* rows, int y) {
    auto row = hn::Load(ByteTag(), rows + row_elements() * y);
#if HWY_TARGET <= HWY_AVX3
    // Keeps the value in a register for both of its uses: gcc 12 would load it twice, which takes
    // 1.03 times as long (Emerald Rapids, docs/experiments/motion_simd_cost_by_machine.md).
    asm("" : "+v"(row.raw));
#endif
    return row;
  }

  template <int kX>
  HWY_INLINE Sums block(hn::Vec<ByteTag> row0, hn::Vec<ByteTag> row1, hn::Vec<ByteTag> row2,
                        hn::Vec<ByteTag> row3) const {
    return hn::Add(
        hn::Add(current_[0].template sums<kX>(row0), current_[1].template sums<kX>(row1)),
        hn::Add(current_[2].template sums<kX>(row2), current_[3].template sums<kX>(row3)));
  }

  const std::size_t offset_;
  const Row current_[4];
};

#if HWY_TARGET > HWY_AVX3

// Adds eight differences at a time: four samples of a row and four of the next for one candidate. A
// row has such eights for each column. The sums are in lanes of 64 bits and have to be packed. With
// AVX2 a search takes 0.8 of the time of fours on a Zen 5, which starts a MPSADBW every two cycles,
// and 1.9 times as long on an Emerald Rapids (docs/experiments/motion_simd_cost_by_machine.md).
// AVX-512 has a better instruction for fours.
class SadsByEights {
  using ByteTag = hn::Repartition<std::uint8_t, SumTag>;
  using EightTag = hn::Repartition<std::uint64_t, SumTag>;
  using V = hn::Vec<ByteTag>;
  using Eights = hn::Vec<EightTag>;
  using Window = SearchWindow<std::uint8_t>;

 public:
  using Element = std::uint8_t;

  static constexpr bool kHasPairs = false;
  // Elements of the tile's columns and twelve more, rounded up to eights.
  static constexpr std::size_t kMostRowElements = 8 * ((hn::MaxLanes(SumTag()) + 12 + 7) / 8 * 8);

  static HWY_INLINE std::size_t row_elements() { return kMostRowElements; }

  static HWY_INLINE void expand(const Window& window, int first, int rows, Element* to) {
    const ByteTag d;
    constexpr int kColumns = static_cast<int>(hn::MaxLanes(d) / 4);
    for (int x = 0; x < static_cast<int>(row_elements() / 8); x += kColumns) {
      V row = fours(window.row(0) + first + x);
      Element* row_to = to + 8 * x;
      for (int y = 1; y < rows; ++y, row_to += row_elements()) {
        const V next_row = fours(window.row(y) + first + x);
        interleave(row, next_row, row_to);
        row = next_row;
      }
    }
  }

  static HWY_INLINE Tile expanded(int first) { return {first, 0, 0, 8 * 8}; }

  // Blocks of 128 bits hold two sums of each of four vectors.
  static HWY_INLINE int column(const Tile& tile, int lane) {
    const auto eights = static_cast<int>(hn::MaxLanes(EightTag()));
    return tile.first + lane % 8 / 2 * eights + lane / 8 * 2 + lane % 2;
  }

  static HWY_INLINE Sums load_columns(const std::uint16_t* from, const Tile& tile) {
    const SumTag d;
    const Sums columns = hn::LoadU(d, from + tile.first);
    if constexpr (hn::MaxLanes(d) == 8) {
      return columns;
    } else {
      const hn::Repartition<std::uint32_t, SumTag> d32;  // Sums of two adjacent columns.
      alignas(32) static constexpr std::uint32_t kTwos[] = {0, 2, 4, 6, 1, 3, 5, 7};
      return hn::BitCast(
          d, hn::TableLookupLanes(hn::BitCast(d32, columns), hn::SetTableIndices(d32, kTwos)));
    }
  }

  HWY_INLINE SadsByEights(const std::uint8_t* current, int x, int y)
      : SadsByEights(current + kMacroblockWidth * y + x,
                     row_elements() * static_cast<std::size_t>(y)) {}

  HWY_INLINE PairSums operator()(const Element* rows) const {
    rows += offset_;
    return {block<0>(rows), block<4>(rows)};
  }

 private:
  // Returns four samples of a row and four of the next, twice.
  static HWY_INLINE V twice_four(const std::uint8_t* samples) {
    std::uint32_t fours[2];
    std::memcpy(fours, samples, sizeof fours[0]);
    std::memcpy(fours + 1, samples + kMacroblockWidth, sizeof fours[1]);
    std::uint64_t eight;
    std::memcpy(&eight, fours, sizeof eight);
    return hn::BitCast(ByteTag(), hn::Set(EightTag(), eight));
  }

  // Written out so that the members stay in registers.
  HWY_INLINE SadsByEights(const std::uint8_t* current, std::size_t offset)
      : offset_(offset),
        current_{twice_four(current), twice_four(current + 2 * kMacroblockWidth),
                 twice_four(current + 4), twice_four(current + 2 * kMacroblockWidth + 4)} {}

#if HWY_TARGET == HWY_AVX2
  static HWY_INLINE Eights sums_of_eight(V a, V b) { return Eights{_mm256_sad_epu8(a.raw, b.raw)}; }

  // Packs lanes of 32 bits to 16, in each 128 bits those of `a` and then those of `b`.
  static HWY_INLINE Sums packed(Sums a, Sums b) { return Sums{_mm256_packus_epi32(a.raw, b.raw)}; }

  // Loads four samples each from eight columns, in the order that interleaving requires.
  static HWY_INLINE V fours(const std::uint8_t* row) {
    const ByteTag d;
    alignas(32) static constexpr std::uint8_t kFours[] = {0, 1, 2, 3, 1, 2, 3, 4, 4, 5, 6,
                                                          7, 5, 6, 7, 8, 2, 3, 4, 5, 3, 4,
                                                          5, 6, 6, 7, 8, 9, 7, 8, 9, 10};
    return hn::TableLookupBytes(hn::LoadDup128(d, row), hn::Load(d, kFours));
  }
#else
  static HWY_INLINE Eights sums_of_eight(V a, V b) { return Eights{_mm_sad_epu8(a.raw, b.raw)}; }

  static HWY_INLINE Sums packed(Sums a, Sums b) { return Sums{_mm_packus_epi32(a.raw, b.raw)}; }

  // Loads four samples each from four columns.
  static HWY_INLINE V fours(const std::uint8_t* row) {
    const ByteTag d;
    alignas(16) static constexpr std::uint8_t kFours[] = {0, 1, 2, 3, 1, 2, 3, 4,
                                                          2, 3, 4, 5, 3, 4, 5, 6};
    return hn::TableLookupBytes(hn::LoadU(d, row), hn::Load(d, kFours));
  }
#endif

  static HWY_INLINE void interleave(V fours, V fours_of_next, Element* to) {
    const ByteTag d;
    const hn::Repartition<std::uint32_t, ByteTag> d32;
    const auto upper = hn::BitCast(d32, fours);
    const auto lower = hn::BitCast(d32, fours_of_next);
    hn::Store(hn::BitCast(d, hn::InterleaveLower(d32, upper, lower)), d, to);
    hn::Store(hn::BitCast(d, hn::InterleaveUpper(d32, upper, lower)), d, to + hn::Lanes(d));
  }

  template <int kX>
  HWY_INLINE Sums sums(const Element* rows, int vector) const {
    const ByteTag d;
    const Element* const from = rows + 8 * kX + static_cast<std::size_t>(vector) * hn::Lanes(d);
    const Eights upper = sums_of_eight(current_[kX / 2], hn::Load(d, from));
    const Eights lower =
        sums_of_eight(current_[kX / 2 + 1], hn::Load(d, from + 2 * row_elements()));
    return hn::BitCast(SumTag(), hn::Add(upper, lower));
  }

  template <int kX>
  HWY_INLINE Sums block(const Element* rows) const {
    return packed(packed(sums<kX>(rows, 0), sums<kX>(rows, 1)),
                  packed(sums<kX>(rows, 2), sums<kX>(rows, 3)));
  }

  const std::size_t offset_;
  const V current_[4];
};

#endif  // HWY_TARGET > HWY_AVX3

template <>
struct SadsOf<std::uint8_t> {
  using Type = SadsByFours;
};

#endif  // HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4

template <class Sample>
using Sads = typename SadsOf<Sample>::Type;

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SADS_INL_H_
