// SPDX-License-Identifier: Apache-2.0

// Sums of the differences of delta_format.h in the vectors of the target being compiled. A part of
// the .cc files that are compiled once per target.

#include <millrace/algorithms/codecs/cpu/bit_packing_inl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_CODECS_CPU_PREFIX_SUM_INL_H_)
#ifndef MILLRACE_ALGORITHMS_CODECS_CPU_PREFIX_SUM_INL_H_
#define MILLRACE_ALGORITHMS_CODECS_CPU_PREFIX_SUM_INL_H_
#else
#undef MILLRACE_ALGORITHMS_CODECS_CPU_PREFIX_SUM_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::codecs {
namespace HWY_NAMESPACE {
namespace {

// Indices for the steps of a prefix sum: the bytes of its 16 that a lane takes from the first pair
// of lanes when pairs are added, and the lane that holds the sum of all before a lane's own 16
// bytes when 16 bytes (near) and then twice as many (far) are added.
template <class T>
struct PrefixTable {
  PrefixTable() {
    for (int lane = 0; lane < kMostLanes<T>; ++lane) {
      pair[lane] = static_cast<T>(lane % kStreams<T> >= 2 ? 0x07060504 : 0x80808080);
      const int row = lane / kStreams<T>;
      near[lane] = static_cast<T>(std::max(row * kStreams<T> - 1, 0));
      far[lane] = static_cast<T>(std::max((row - 1) * kStreams<T> - 1, 0));
      near_used[lane] = row >= 1 ? static_cast<T>(~T{0}) : T{0};
      far_used[lane] = row >= 2 ? static_cast<T>(~T{0}) : T{0};
    }
  }
  alignas(64) T pair[kMostLanes<T>];
  alignas(64) T near[kMostLanes<T>];
  alignas(64) T far[kMostLanes<T>];
  alignas(64) T near_used[kMostLanes<T>];
  alignas(64) T far_used[kMostLanes<T>];
};

template <class T>
const PrefixTable<T>& prefix_table() {
  static const PrefixTable<T> table;
  return table;
}

#if HWY_TARGET <= HWY_AVX3_DL
// Largest width, in bits, of differences that are added in 16 bits, two to a lane of 32: the sum of
// 16 of them fits.
constexpr int kMostNarrowBits = 12;

// Indices for such additions. Lane i of a vector of 32 differences has the i-th in its lower half
// and the one 16 after it in the upper half.
struct NarrowTable {
  struct Width {
    // Two bytes per difference, from first_word on, and the two behind them.
    alignas(64) std::uint32_t index[4][kMostLanes<std::uint32_t>];
    alignas(64) std::uint32_t next[4][kMostLanes<std::uint32_t>];
    alignas(64) std::uint32_t shift[kMostLanes<std::uint32_t>];
    std::size_t first_word[4];
    bool needs_next;  // True if some differences span three bytes.
  };

  NarrowTable() {
    for (int width = 1; width <= kMostNarrowBits; ++width) {
      for (int vector = 0; vector < 4; ++vector) fill(widths[width], width, vector);
    }
  }

  static void fill(Width& out, int width, int vector) {
    using T = std::uint32_t;
    const int first_bit = 8 * vector * width;
    const int skipped = first_bit / kWordBits<T>;
    out.first_word[vector] = static_cast<std::size_t>(skipped * kStreams<T>);
    out.needs_next = false;
    for (int lane = 0; lane < kMostLanes<T>; ++lane) {
      out.index[vector][lane] = 0;
      out.next[vector][lane] = 0;
      out.shift[lane] = 0;
      for (int half = 0; half < 2; ++half) {
        const int row = lane / kStreams<T> + 4 * half;
        const int bit = first_bit + row * width - skipped * kWordBits<T>;
        const auto positions = byte_positions<T>(bit / 8, lane % kStreams<T>, 4);
        out.index[vector][lane] |= static_cast<T>(positions & 0xFFFF) << (16 * half);
        out.next[vector][lane] |= static_cast<T>(positions >> 16) << (16 * half);
        out.shift[lane] |= static_cast<T>(bit % 8) << (16 * half);  // Equal in all vectors.
        out.needs_next |= bit % 8 + width > 16;
      }
    }
  }

  Width widths[kMostNarrowBits + 1];
};

inline const NarrowTable& narrow_table() {
  static const NarrowTable table;
  return table;
}
#endif

// Computes inclusive sums of vectors, one after another.
template <class D, class T = hn::TFromD<D>>
class PrefixSum {
 public:
  PrefixSum(D d, T before) : sum_(hn::Set(d, before)) {}

  HWY_INLINE hn::Vec<D> add(D d, hn::Vec<D> v) {
    v = within(d, v);
    const auto result = hn::Add(sum_, v);
    sum_ = hn::Add(sum_, hn::TableLookupLanes(v, last_));
    return result;
  }

  // Calls emit(i, v) with the sums from i on, for all 128 differences of a block.
  template <class Emit>
  HWY_INLINE void add_block(D d, const T* HWY_RESTRICT words, int width, const Emit& emit) {
#if HWY_TARGET <= HWY_AVX3_DL
    if constexpr (sizeof(T) == 4) {
      if (width >= 1 && width <= kMostNarrowBits) {
        const NarrowTable::Width& table = narrow_table().widths[width];
        if (table.needs_next) return add_narrow<true>(d, words, width, table, emit);
        return add_narrow<false>(d, words, width, table, emit);
      }
    }
#endif
    unpack_block(d, words, width, [&](int i, auto v) HWY_ATTR { emit(i, add(d, v)); });
  }

  // Returns the sum of everything, which all lanes hold.
  HWY_INLINE T last(D) const { return hn::GetLane(sum_); }

 private:
  using Indices = decltype(hn::IndicesFromVec(D(), hn::Zero(D())));

  static HWY_INLINE Indices indices(const T* table) {
    return hn::IndicesFromVec(D(), hn::Load(D(), table));
  }

  // Returns the sums within one vector. Halves of lanes are added separately as long as their sums
  // fit.
  HWY_INLINE hn::Vec<D> within([[maybe_unused]] D d, hn::Vec<D> v) const {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (kStreams<T> == 4) {
      const hn::RepartitionToWide<D> pairs;
      v = hn::Add(v, hn::BitCast(d, hn::ShiftLeft<32>(hn::BitCast(pairs, v))));
      v = hn::Add(v, hn::TableLookupBytesOr0(v, pair_));
    } else {
      v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
    }
#endif
    if constexpr (hn::MaxLanes(D()) > kStreams<T>) {
      v = hn::Add(v, hn::IfThenElseZero(near_used_, hn::TableLookupLanes(v, near_)));
    }
    if constexpr (hn::MaxLanes(D()) > 2 * kStreams<T>) {
      v = hn::Add(v, hn::IfThenElseZero(far_used_, hn::TableLookupLanes(v, far_)));
    }
    return v;
  }

#if HWY_TARGET <= HWY_AVX3_DL
  template <bool kNeedsNext, class Emit>
  HWY_INLINE void add_narrow(D d, const T* HWY_RESTRICT words, int width,
                             const NarrowTable::Width& table, const Emit& emit) {
    const auto low = hn::Set(d, 0xFFFF);
    const auto mask = hn::Set(d, 0x10001 * low_bits<T>(width));
    const auto shift = hn::Load(d, table.shift);
    for (int vector = 0; vector < 4; ++vector) {
      const auto loaded = hn::LoadU(d, words + table.first_word[vector]);
      const auto bytes = gather_bytes(loaded, hn::Load(d, table.index[vector]), d);
      hn::Vec<D> shifted;
      if constexpr (kNeedsNext) {
        const auto next = gather_bytes(loaded, hn::Load(d, table.next[vector]), d);
        shifted.raw = _mm512_shrdv_epi16(bytes.raw, next.raw, shift.raw);
      } else {
        shifted.raw = _mm512_srlv_epi16(bytes.raw, shift.raw);
      }
      const auto v = within(d, hn::And(shifted, mask));
      const auto both = hn::TableLookupLanes(v, last_);
      emit(32 * vector, hn::Add(sum_, hn::And(v, low)));
      sum_ = hn::Add(sum_, hn::And(both, low));
      emit(32 * vector + 16, hn::Add(sum_, hn::ShiftRight<16>(v)));
      sum_ = hn::Add(sum_, hn::ShiftRight<16>(both));
    }
  }
#endif

  const hn::Vec<D> pair_ = hn::Load(D(), prefix_table<T>().pair);
  const Indices near_ = indices(prefix_table<T>().near);
  const Indices far_ = indices(prefix_table<T>().far);
  const hn::Mask<D> near_used_ = hn::MaskFromVec(hn::Load(D(), prefix_table<T>().near_used));
  const hn::Mask<D> far_used_ = hn::MaskFromVec(hn::Load(D(), prefix_table<T>().far_used));
  const Indices last_ = hn::IndicesFromVec(D(), hn::Set(D(), static_cast<T>(hn::Lanes(D()) - 1)));
  hn::Vec<D> sum_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::codecs
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_CODECS_CPU_PREFIX_SUM_INL_H_
