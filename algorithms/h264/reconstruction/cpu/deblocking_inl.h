// SPDX-License-Identifier: Apache-2.0

// The deblocking filter in the vectors of the target being compiled. A part of reconstruct_simd.cc,
// which is compiled once per target. An edge between rows is filtered as it lies in memory; columns
// beside a vertical edge are transposed to rows and back.

#include <millrace/algorithms/h264/reconstruction/deblocking_filter.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_DEBLOCKING_INL_H_)
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_DEBLOCKING_INL_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_DEBLOCKING_INL_H_
#else
#undef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_DEBLOCKING_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// The samples of an edge, `count` of them: row i after the edge begins at q + i * stride.
template <int count>
class EdgeRows {
 public:
  using D = hn::CappedTag<std::int16_t, count>;
  using V = hn::Vec<D>;

  HWY_INLINE EdgeRows(const EdgeFilter& filter, std::uint8_t* q, std::ptrdiff_t stride)
      : filter_(filter), q_(q), stride_(stride) {
    std::uint32_t bounds = 0;
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t bound =
          filter.strengths[i] == 0 ? std::uint8_t{0xff} : filter.clipping[i];
      bounds |= bound << (8 * i);
    }
    // Repeats each segment's byte twice, then four times.
    const hn::FixedTag<std::uint8_t, 16> bytes;
    auto spread = hn::BitCast(bytes, hn::Set(hn::FixedTag<std::uint32_t, 4>(), bounds));
    spread = hn::InterleaveLower(bytes, spread, spread);
    if constexpr (count == 16) spread = hn::InterleaveLower(bytes, spread, spread);
    const hn::FixedTag<std::int8_t, 16> stored;
    hn::Store(hn::BitCast(stored, spread), stored, bounds_);
  }

  // Both return false if they change no sample.

  // All segments of an edge between macroblocks have bS = 4, or none has.
  HWY_INLINE bool filter_luma() const {
    const D d;
    bool is_changed = false;
    for (std::size_t x = 0; x < count; x += hn::Lanes(d)) {
      const bool is_here = filter_.strengths[0] == 4 ? filter_strongly(x) : filter_normally(x);
      is_changed = is_changed || is_here;
    }
    return is_changed;
  }

  HWY_INLINE bool filter_chroma() const {
    const D d;
    bool is_changed = false;
    for (std::size_t x = 0; x < count; x += hn::Lanes(d)) {
      const V p1 = row(-2, x), p0 = row(-1, x), q0 = row(0, x), q1 = row(1, x);
      const auto mask = filtered(x, p1, p0, q0, q1);
      if (hn::AllFalse(d, mask)) continue;
      is_changed = true;
      if (filter_.strengths[0] == 4) {
        store_if(mask, weak_end(p1, p0, q1), p0, -1, x);
        store_if(mask, weak_end(q1, q0, p1), q0, 0, x);
      } else {
        const V bound = hn::Add(bounds(x), hn::Set(d, 1));
        const V delta = hn::IfThenElseZero(mask, step(p1, p0, q0, q1, bound));
        store(hn::Add(p0, delta), -1, x);
        store(hn::Sub(q0, delta), 0, x);
      }
    }
    return is_changed;
  }

 private:
  static constexpr std::int16_t kUnfiltered = -1;

  // Returns tC0 of the samples from x on, or kUnfiltered.
  HWY_INLINE V bounds(std::size_t x) const {
    const D d;
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::int8_t, D>(), bounds_ + x));
  }

  HWY_INLINE V row(int i, std::size_t x) const {
    const D d;
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint8_t, D>(), q_ + i * stride_ + x));
  }
  HWY_INLINE void store(V samples, int i, std::size_t x) const {
    const hn::Rebind<std::uint8_t, D> bytes;
    hn::StoreU(hn::DemoteTo(bytes, samples), bytes, q_ + i * stride_ + x);
  }
  template <class M>
  HWY_INLINE void store_if(M mask, V samples, V otherwise, int i, std::size_t x) const {
    store(hn::IfThenElse(mask, samples, otherwise), i, x);
  }

  HWY_INLINE auto is_near(V a, V b, int limit) const {
    return hn::Lt(hn::Abs(hn::Sub(a, b)), hn::Set(D(), static_cast<std::int16_t>(limit)));
  }
  HWY_INLINE auto filtered(std::size_t x, V p1, V p0, V q0, V q1) const {
    const D d;
    const auto has_strength = hn::Gt(bounds(x), hn::Set(d, kUnfiltered));
    return hn::And(hn::And(has_strength, is_near(p0, q0, filter_.alpha)),
                   hn::And(is_near(p1, p0, filter_.beta), is_near(q1, q0, filter_.beta)));
  }

  static HWY_INLINE V clamped(V value, V bound) {
    return hn::Max(hn::Neg(bound), hn::Min(value, bound));
  }
  // Returns the change of p0 and q0 (Equation 8-475).
  static HWY_INLINE V step(V p1, V p0, V q0, V q1, V bound) {
    const V sum = hn::Add(hn::ShiftLeft<2>(hn::Sub(q0, p0)), hn::Sub(p1, q1));
    return clamped(hn::ShiftRight<3>(hn::Add(sum, hn::Set(D(), 4))), bound);
  }
  // Returns (2 * p1 + p0 + q1 + 2) / 4.
  static HWY_INLINE V weak_end(V p1, V p0, V q1) {
    const V sum = hn::Add(hn::Add(hn::Add(p1, p1), p0), hn::Add(q1, hn::Set(D(), 2)));
    return hn::ShiftRight<2>(sum);
  }
  // Returns the change of p1.
  static HWY_INLINE V second_step(V p2, V p1, V mean, V bound) {
    const V sum = hn::Sub(hn::Add(p2, mean), hn::Add(p1, p1));
    return clamped(hn::ShiftRight<1>(sum), bound);
  }

  HWY_INLINE bool filter_normally(std::size_t x) const {
    const D d;
    const V p1 = row(-2, x), p0 = row(-1, x), q0 = row(0, x), q1 = row(1, x);
    const auto mask = filtered(x, p1, p0, q0, q1);
    if (hn::AllFalse(d, mask)) return false;
    const V p2 = row(-3, x), q2 = row(2, x);
    const auto is_p_smooth = hn::And(mask, is_near(p2, p0, filter_.beta));
    const auto is_q_smooth = hn::And(mask, is_near(q2, q0, filter_.beta));
    const V bound = bounds(x);
    const V one = hn::Set(d, 1);
    const V wide_bound = hn::Add(
        bound, hn::Add(hn::IfThenElseZero(is_p_smooth, one), hn::IfThenElseZero(is_q_smooth, one)));
    const V delta = hn::IfThenElseZero(mask, step(p1, p0, q0, q1, wide_bound));
    const V mean = hn::ShiftRight<1>(hn::Add(hn::Add(p0, q0), one));
    store(hn::Add(p0, delta), -1, x);
    store(hn::Sub(q0, delta), 0, x);
    store(hn::Add(p1, hn::IfThenElseZero(is_p_smooth, second_step(p2, p1, mean, bound))), -2, x);
    store(hn::Add(q1, hn::IfThenElseZero(is_q_smooth, second_step(q2, q1, mean, bound))), 1, x);
    return true;
  }

  // The samples of one side of an edge, by the distance from it, and the nearest of the other side.
  struct Side {
    V p2, p1, p0, q0, q1;
    int nearest;    // The row of p0.
    int direction;  // -1 if p1 lies before p0, 1 if it lies behind it.
  };

  // Filters a side for bS = 4.
  template <class M>
  HWY_INLINE void filter_side(M mask, M is_wide, const Side& side, std::size_t x) const {
    const D d;
    const auto [p2, p1, p0, q0, q1, nearest, direction] = side;
    const V p3 = row(nearest + 3 * direction, x);
    const V sum = hn::Add(hn::Add(p1, p0), q0);  // p1 + p0 + q0
    const V sum2 = hn::Add(sum, p2);             // p2 + p1 + p0 + q0
    const V four = hn::Set(d, 4);
    const V wide0 = hn::ShiftRight<3>(hn::Add(hn::Add(hn::Add(sum, sum), hn::Add(p2, q1)), four));
    const V wide1 = hn::ShiftRight<2>(hn::Add(sum2, hn::Set(d, 2)));
    const V wide2 =
        hn::ShiftRight<3>(hn::Add(hn::Add(hn::ShiftLeft<1>(hn::Add(p3, p2)), sum2), four));
    const V end = hn::IfThenElse(is_wide, wide0, weak_end(p1, p0, q1));
    store_if(mask, end, p0, nearest, x);
    store_if(is_wide, wide1, p1, nearest + direction, x);
    store_if(is_wide, wide2, p2, nearest + 2 * direction, x);
  }

  HWY_INLINE bool filter_strongly(std::size_t x) const {
    const D d;
    const V p1 = row(-2, x), p0 = row(-1, x), q0 = row(0, x), q1 = row(1, x);
    const auto mask = filtered(x, p1, p0, q0, q1);
    if (hn::AllFalse(d, mask)) return false;
    const V p2 = row(-3, x), q2 = row(2, x);
    const auto is_flat = hn::And(mask, is_near(p0, q0, (filter_.alpha >> 2) + 2));
    const auto is_p_wide = hn::And(is_flat, is_near(p2, p0, filter_.beta));
    const auto is_q_wide = hn::And(is_flat, is_near(q2, q0, filter_.beta));
    filter_side(mask, is_p_wide,
                {.p2 = p2, .p1 = p1, .p0 = p0, .q0 = q0, .q1 = q1, .nearest = -1, .direction = -1},
                x);
    filter_side(mask, is_q_wide,
                {.p2 = q2, .p1 = q1, .p0 = q0, .q0 = p0, .q1 = p1, .nearest = 0, .direction = 1},
                x);
    return true;
  }

  const EdgeFilter& filter_;
  std::uint8_t* const q_;
  const std::ptrdiff_t stride_;
  HWY_ALIGN std::int8_t bounds_[16];  // tC0, or kUnfiltered; the first `count`.
};

void filter_luma_rows(const EdgeFilter& filter, std::uint8_t* first, std::ptrdiff_t stride) {
  EdgeRows<16>(filter, first, stride).filter_luma();
}

void filter_chroma_rows(const EdgeFilter& filter, std::uint8_t* first, std::ptrdiff_t stride) {
  EdgeRows<8>(filter, first, stride).filter_chroma();
}

using Bytes16 = hn::FixedTag<std::uint8_t, 16>;
using Bytes8 = hn::FixedTag<std::uint8_t, 8>;

// Interleaves vector i with the one `half` after it, for all i below that.
template <int half>
HWY_INLINE void interleave_halves(hn::Vec<Bytes16> (&x)[2 * half]) {
  const Bytes16 d;
  hn::Vec<Bytes16> y[2 * half];
  for (int i = 0; i < half; ++i) {
    y[2 * i] = hn::InterleaveLower(d, x[i], x[i + half]);
    y[2 * i + 1] = hn::InterleaveUpper(d, x[i], x[i + half]);
  }
  for (int i = 0; i < 2 * half; ++i) x[i] = y[i];
}

// Four samples on both sides of a vertical edge become 8 rows of 16. Perfect shuffles of vectors
// transpose a matrix.
void filter_luma_columns(const EdgeFilter& filter, std::uint8_t* first, std::ptrdiff_t stride) {
  const Bytes16 d;
  const Bytes8 half;
  HWY_ALIGN std::uint8_t rows[8 * 16];
  hn::Vec<Bytes16> x[8];
  std::uint8_t* const left = first - 4;
  for (int i = 0; i < 8; ++i) {
    const auto upper = hn::ZeroExtendVector(d, hn::LoadU(half, left + i * stride));
    const auto lower = hn::ZeroExtendVector(d, hn::LoadU(half, left + (i + 8) * stride));
    x[i] = hn::InterleaveLower(d, upper, lower);
  }
  for (int round = 0; round < 3; ++round) interleave_halves<4>(x);
  for (int i = 0; i < 8; ++i) hn::Store(x[i], d, rows + 16 * i);
  if (!EdgeRows<16>(filter, rows + 4 * 16, 16).filter_luma()) return;
  for (int i = 0; i < 8; ++i) x[i] = hn::Load(d, rows + 16 * i);
  for (int round = 0; round < 3; ++round) interleave_halves<4>(x);
  for (int i = 0; i < 8; ++i) {
    hn::StoreU(hn::LowerHalf(half, x[i]), half, left + 2 * i * stride);
    hn::StoreU(hn::UpperHalf(half, x[i]), half, left + (2 * i + 1) * stride);
  }
}

// Eight rows of two samples on both sides become 4 rows of 8, in two vectors.
void filter_chroma_columns(const EdgeFilter& filter, std::uint8_t* first, std::ptrdiff_t stride) {
  const Bytes16 d;
  HWY_ALIGN std::uint8_t samples[4 * 8];
  std::uint8_t* const left = first - 2;
  for (int y = 0; y < 8; ++y) std::memcpy(samples + 4 * y, left + y * stride, 4);
  hn::Vec<Bytes16> x[2] = {hn::Load(d, samples), hn::Load(d, samples + 16)};
  for (int round = 0; round < 3; ++round) interleave_halves<1>(x);
  for (int i = 0; i < 2; ++i) hn::Store(x[i], d, samples + 16 * i);
  if (!EdgeRows<8>(filter, samples + 2 * 8, 8).filter_chroma()) return;
  for (int i = 0; i < 2; ++i) x[i] = hn::Load(d, samples + 16 * i);
  for (int round = 0; round < 2; ++round) interleave_halves<1>(x);
  for (int i = 0; i < 2; ++i) hn::Store(x[i], d, samples + 16 * i);
  for (int y = 0; y < 8; ++y) std::memcpy(left + y * stride, samples + 4 * y, 4);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::h264
HWY_AFTER_NAMESPACE();

#endif  // Vectors of fixed size.
#endif  // Include guard.
