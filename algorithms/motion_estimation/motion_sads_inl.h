// Sums of absolute differences of 4x4 blocks at as many places side by side as a vector has lanes
// of 16 bits, in the instructions of the target being compiled. A part of motion_simd.cc.

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

// Lanes are candidates, from left to right.
using SumTag = hn::CappedTag<std::uint16_t, 32>;
using Sums = hn::Vec<SumTag>;

HWY_INLINE std::size_t columns() { return hn::Lanes(SumTag()); }

// The four 4x4 blocks of a quarter of a macroblock.
struct QuarterSums {
  Sums block[4];
};

// Any samples on any target: a row of the window as 16-bit integers.
template <class Sample>
class WideSads {
 public:
  using Element = std::uint16_t;

  static HWY_INLINE std::size_t row_elements() { return columns() + kMacroblockWidth; }

  // Makes a row for the search of columns() candidates from its samples.
  static HWY_INLINE void expand(const Sample* from, Element* to) {
    for (std::size_t i = 0; i < row_elements(); ++i) to[i] = from[i];
  }

  // `current` is the macroblock, 16 samples a row.
  HWY_INLINE WideSads(const Sample* current, int x, int y)
      : current_(current + kMacroblockWidth * y + x), x_(x), y_(y) {}

  // `rows` is the window from the candidates' row on.
  HWY_INLINE QuarterSums operator()(const Element* rows) const {
    rows += row_elements() * static_cast<std::size_t>(y_) + x_;
    return {{block(rows, 0, 0), block(rows, 4, 0), block(rows, 0, 4), block(rows, 4, 4)}};
  }

 private:
  HWY_INLINE Sums block(const Element* rows, int x, int y) const {
    const SumTag d;
    const hn::RebindToSigned<SumTag> ds;
    auto sum = hn::Zero(ds);
    for (int row = y; row < y + 4; ++row) {
      for (int i = x; i < x + 4; ++i) {
        const auto reference = hn::LoadU(d, rows + row_elements() * row + i);
        const auto current = hn::Set(d, current_[kMacroblockWidth * row + i]);
        sum = hn::Add(sum, hn::Abs(hn::BitCast(ds, hn::Sub(reference, current))));
      }
    }
    return hn::BitCast(d, sum);
  }

  const Sample* current_;
  int x_;
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

// By the instructions above. A row of the window is two vectors: one for the blocks 0 and 4 samples
// from the left, one for those 8 and 12.
class ByteSads {
  using ByteTag = hn::Repartition<std::uint8_t, SumTag>;

 public:
  using Element = std::uint8_t;

  static HWY_INLINE std::size_t row_elements() { return 4 * columns(); }

  static HWY_INLINE void expand(const std::uint8_t* from, Element* to) {
    const ByteTag d;
    hn::Store(overlapping_blocks(d, from), d, to);
    hn::Store(overlapping_blocks(d, from + 8), d, to + 2 * columns());
  }

  HWY_INLINE ByteSads(const std::uint8_t* current, int x, int y)
      : ByteSads(current + kMacroblockWidth * y + x,
                 row_elements() * static_cast<std::size_t>(y) + (x == 0 ? 0 : 2 * columns())) {}

  HWY_INLINE QuarterSums operator()(const Element* rows) const {
    rows += offset_;
    return {{block<0>(rows, 0), block<4>(rows, 0), block<0>(rows, 4), block<4>(rows, 4)}};
  }

 private:
  using Row = EightSamples<SumTag>;

  // Spelled out to stay in registers.
  HWY_INLINE ByteSads(const std::uint8_t* current, std::size_t offset)
      : offset_(offset), current_{row(current, 0), row(current, 1), row(current, 2),
                                  row(current, 3), row(current, 4), row(current, 5),
                                  row(current, 6), row(current, 7)} {}

  static HWY_INLINE Row row(const std::uint8_t* current, int y) {
    return Row(current + kMacroblockWidth * y);
  }

  template <int kX>
  HWY_INLINE Sums block(const Element* rows, int y) const {
    return hn::Add(hn::Add(row_sums<kX>(rows, y), row_sums<kX>(rows, y + 1)),
                   hn::Add(row_sums<kX>(rows, y + 2), row_sums<kX>(rows, y + 3)));
  }

  template <int kX>
  HWY_INLINE Sums row_sums(const Element* rows, int y) const {
    return current_[y].template sums<kX>(hn::Load(ByteTag(), rows + row_elements() * y));
  }

  const std::size_t offset_;
  const Row current_[8];
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
