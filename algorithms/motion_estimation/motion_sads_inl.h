// Sums of absolute differences of two 4x4 blocks at as many places as a vector has lanes of 16
// bits, in the instructions of the target being compiled. A part of motion_simd.cc.

#include <hwy/highway.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SADS_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SADS_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SADS_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SADS_INL_H_
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

// Which columns() columns of a window are the lanes: eight side by side, then eight that begin
// `distance` columns after these, and so on; and where a row of Sads has their samples.
struct Tile {
  int first;
  int distance;
  std::ptrdiff_t left_half;   // For blocks 0 and 4 samples from the macroblock's left.
  std::ptrdiff_t right_half;  // For those 8 and 12.

  HWY_INLINE int column(int lane) const { return first + lane / 8 * distance + lane % 8; }
};

// Of two 4x4 blocks side by side.
struct PairSums {
  Sums left;
  Sums right;
};

// Any samples on any target: a row of the window as 16-bit integers.
template <class Sample>
class WideSads {
 public:
  using Element = std::uint16_t;

  static constexpr bool kHasPairs = false;  // No copy() makes rows of two tiles.
  static constexpr std::size_t kMostRowElements = hn::MaxLanes(SumTag()) + kMacroblockWidth;

  static HWY_INLINE std::size_t row_elements() { return columns() + kMacroblockWidth; }

  // Makes a row of one tile, expanded(), from the window's.
  static HWY_INLINE void expand(const Sample* from, Element* to) {
    for (std::size_t i = 0; i < row_elements(); ++i) to[i] = from[i];
  }

  static HWY_INLINE Tile expanded(int first) { return {first, 8, 0, 8}; }

  // What `from` has for each of the tile's columns.
  static HWY_INLINE Sums load_columns(const std::uint16_t* from, const Tile& tile) {
    return hn::LoadU(SumTag(), from + tile.first);
  }

  // The blocks at (x, y) and (x + 4, y) of `current`, the macroblock, 16 samples a row.
  HWY_INLINE WideSads(const Sample* current, int x, int y)
      : current_(current + kMacroblockWidth * y + x), y_(y) {}

  // `rows` is the half of the tile with the blocks, from the candidates' row on.
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

// In each 128 bits, |current - row| summed over four bytes: those of `row` from i + kX on, for i of
// 0 to 7 the eight sums, and four of `current`, that EightSamples has made.
#if HWY_TARGET <= HWY_AVX3
template <int kX>
constexpr auto kDwords = kX == 0 ? _MM_PERM_CBBA : _MM_PERM_DCCB;

template <int kX>
HWY_INLINE hn::Vec512<std::uint16_t> sums_of_four(hn::Vec512<std::uint8_t> current,
                                                  hn::Vec512<std::uint8_t> row) {
  return hn::Vec512<std::uint16_t>{_mm512_dbsad_epu8(current.raw, row.raw, kDwords<kX>)};
}

template <int kX>
HWY_INLINE hn::Vec256<std::uint16_t> sums_of_four(hn::Vec256<std::uint8_t> current,
                                                  hn::Vec256<std::uint8_t> row) {
  return hn::Vec256<std::uint16_t>{_mm256_dbsad_epu8(current.raw, row.raw, kDwords<kX>)};
}

#else

// The dword of `current`, and that of `row` to begin with.
template <int kX>
constexpr int kOfBlock = kX == 0 ? 0 : 4 + 1;

#if HWY_TARGET == HWY_AVX2
template <int kX>
HWY_INLINE hn::Vec256<std::uint16_t> sums_of_four(hn::Vec256<std::uint8_t> current,
                                                  hn::Vec256<std::uint8_t> row) {
  return hn::Vec256<std::uint16_t>{
      _mm256_mpsadbw_epu8(row.raw, current.raw, kOfBlock<kX> | kOfBlock<kX> << 3)};
}
#endif

template <int kX>
HWY_INLINE hn::Vec128<std::uint16_t> sums_of_four(hn::Vec128<std::uint8_t> current,
                                                  hn::Vec128<std::uint8_t> row) {
  return hn::Vec128<std::uint16_t>{_mm_mpsadbw_epu8(row.raw, current.raw, kOfBlock<kX>)};
}
#endif

// Eight samples side by side of a macroblock; D is of sums.
template <class D>
class EightSamples {
  using Bytes = hn::Repartition<std::uint8_t, D>;
  using V = hn::Vec<Bytes>;

 public:
#if HWY_TARGET <= HWY_AVX3
  HWY_INLINE explicit EightSamples(const std::uint8_t* samples)
      : fours_{fours(samples), fours(samples + 4)} {}

  // Of the first four where kX is 0, of the others where it is 4.
  template <int kX>
  HWY_INLINE hn::Vec<D> sums(V row) const {
    return sums_of_four<kX>(fours_[kX / 4], row);
  }

 private:
  static HWY_INLINE V fours(const std::uint8_t* samples) {
    std::uint32_t four = 0;
    std::memcpy(&four, samples, sizeof four);
    return hn::BitCast(Bytes(), hn::Set(hn::Repartition<std::uint32_t, D>(), four));
  }

  V fours_[2];
#else
  HWY_INLINE explicit EightSamples(const std::uint8_t* samples) : samples_(eight(samples)) {}

  template <int kX>
  HWY_INLINE hn::Vec<D> sums(V row) const {
    return sums_of_four<kX>(samples_, row);
  }

 private:
  static HWY_INLINE V eight(const std::uint8_t* samples) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, samples, sizeof eight);
    return hn::BitCast(Bytes(), hn::Set(hn::Repartition<std::uint64_t, D>(), eight));
  }

  V samples_;
#endif
};

// Bytes of a row for EightSamples: in blocks of 16, those from 0, 8, 16 and so on.
template <class D>
HWY_INLINE hn::Vec<D> overlapping_blocks(D d, const std::uint8_t* from) {
  if constexpr (hn::MaxLanes(d) == 16) {
    return hn::LoadU(d, from);
  } else {
    const hn::Repartition<std::uint64_t, D> d64;
    alignas(64) static constexpr std::uint64_t kEights[] = {0, 1, 1, 2, 2, 3, 3, 4};
    return hn::BitCast(d, hn::TableLookupLanes(hn::BitCast(d64, hn::LoadU(d, from)),
                                               hn::SetTableIndices(d64, kEights)));
  }
}

// By the instructions above, which take 16 bytes for eight candidates. A vector as it is in the
// window is right for every other eight columns, and the one from its ninth byte on for those
// between: that is a pair of tiles, of three vectors a row. Of columns for one tile alone, a row is
// two vectors in which bytes are repeated.
class ByteSads {
  using ByteTag = hn::Repartition<std::uint8_t, SumTag>;

 public:
  using Element = std::uint8_t;

  // Where a vector has more than the 16 bytes for eight candidates.
  static constexpr bool kHasPairs = hn::MaxLanes(SumTag()) > 8;
  static constexpr std::size_t kMostRowElements = 3 * hn::MaxLanes(ByteTag());

  static HWY_INLINE std::size_t row_elements() { return (kHasPairs ? 3 : 2) * vector_size(); }

  // Makes a row of two tiles, copied(), from the window's.
  static HWY_INLINE void copy(const std::uint8_t* from, Element* to) {
    const ByteTag d;
    hn::Store(hn::LoadU(d, from), d, to);
    hn::Store(hn::LoadU(d, from + 8), d, to + vector_size());
    hn::Store(hn::LoadU(d, from + 16), d, to + 2 * vector_size());
  }

  // Tile 0 or 1 of the pair whose columns begin at `first`.
  static HWY_INLINE Tile copied(int first, int tile) {
    const auto vector = static_cast<std::ptrdiff_t>(vector_size());
    return {first + 8 * tile, 16, vector * tile, vector * (tile + 1)};
  }

  static HWY_INLINE void expand(const std::uint8_t* from, Element* to) {
    const ByteTag d;
    hn::Store(overlapping_blocks(d, from), d, to);
    hn::Store(overlapping_blocks(d, from + 8), d, to + vector_size());
  }

  static HWY_INLINE Tile expanded(int first) {
    return {first, 8, 0, static_cast<std::ptrdiff_t>(vector_size())};
  }

  static HWY_INLINE Sums load_columns(const std::uint16_t* from, const Tile& tile) {
    return load_eights(SumTag(), from + tile.first, tile.distance);
  }

  HWY_INLINE ByteSads(const std::uint8_t* current, int x, int y)
      : ByteSads(current + kMacroblockWidth * y + x, row_elements() * static_cast<std::size_t>(y)) {
  }

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

  // Spelled out to stay in registers.
  HWY_INLINE ByteSads(const std::uint8_t* current, std::size_t offset)
      : offset_(offset),
        current_{row(current, 0), row(current, 1), row(current, 2), row(current, 3)} {}

  // Eight elements, eight that begin `distance` after these, and so on.
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
    // Into a register for both of its uses: gcc 12 would load it twice, which takes 1.03 times as
    // long (Emerald Rapids, docs/results/2026-11-24-cpu-emerald-rapids.md).
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

template <>
struct SadsOf<std::uint8_t> {
  using Type = ByteSads;
};

#endif  // HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4

template <class Sample>
using Sads = typename SadsOf<Sample>::Type;

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SADS_INL_H_
