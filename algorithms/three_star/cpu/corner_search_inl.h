// SPDX-License-Identifier: Apache-2.0

// Finds the 3-stars of one lowest corner after another, in the vectors of the target being
// compiled. Included by star_simd.cc.

#include <millrace/algorithms/three_star/angle_windows.h>
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/cpu/star_simd.h>
#include <millrace/algorithms/three_star/star_math.h>

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_THREE_STAR_CPU_CORNER_SEARCH_INL_H_)
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CPU_CORNER_SEARCH_INL_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CPU_CORNER_SEARCH_INL_H_
#else
#undef MILLRACE_ALGORITHMS_THREE_STAR_CPU_CORNER_SEARCH_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::three_star {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;
using IntTag = hn::RebindToSigned<FloatTag>;
using UnsignedTag = hn::RebindToUnsigned<FloatTag>;
using Floats = hn::Vec<FloatTag>;
using Mask = hn::Mask<FloatTag>;

HWY_INLINE std::size_t lanes() { return hn::Lanes(FloatTag()); }

// Returns a mask's lanes as bits.
HWY_INLINE std::uint32_t bits_of(Mask mask) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  return mask.raw;
#elif HWY_TARGET == HWY_AVX2
  return static_cast<std::uint32_t>(_mm256_movemask_ps(hn::VecFromMask(FloatTag(), mask).raw));
#else
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(FloatTag(), mask, bits);
  return bits[0] | static_cast<std::uint32_t>(bits[1]) << 8;
#endif
}

class CornerSearch {
 public:
  CornerSearch(const CellGrid& grid, const PointRun& run, std::int32_t radius, StarScratch& scratch)
      : grid_(grid),
        neighbours_(run.neighbours),
        radius_(radius),
        squared_radius_(static_cast<float>(radius) * static_cast<float>(radius)),
        scratch_(scratch) {
    const std::size_t capacity = neighbours_.size() + CellGrid::kPadding;
    for (auto* neighbours : {&scratch.found, &scratch.sorted}) {
      grow(neighbours->x, capacity);
      grow(neighbours->y, capacity);
      grow(neighbours->indices, capacity);
    }
    grow(scratch.buckets, capacity);
    for (auto* floats :
         {&scratch.squared, &scratch.near_x, &scratch.near_y, &scratch.far_x, &scratch.far_y}) {
      grow(*floats, capacity);
    }
  }

  // Finds the neighbours of a point of the run and returns their number.
  HWY_INLINE std::uint32_t begin(std::uint32_t corner) {
    corner_ = corner;
    count_ = 0;
    find_neighbours(neighbours_.beside);
    find_neighbours(neighbours_.above);
    sort_neighbours();
    find_circles();
    return count_;
  }

  // Returns the possible third corners with those neighbours that are in this direction.
  HWY_INLINE IndexRange window(int bucket) const {
    return {scratch_.begins[kAngleWindows.first[bucket]],
            scratch_.begins[kAngleWindows.end[bucket]]};
  }

  std::uint32_t count() const { return count_; }

  // Finds its 3-stars that have one of these sorted neighbours j and k + i: calls take(j, mask, k)
  // for the bits i of the mask. If Take::kAll is true, also for masks of zero, and
  // take.begin(window) before.
  template <class Take>
  HWY_INLINE void search(const IndexRange& seconds, Take& take) const {
    for (int bucket = 0; bucket < kBuckets; ++bucket) {
      const IndexRange window = this->window(bucket);
      if (window.begin == window.end) continue;
      const std::uint32_t end = std::min(seconds.end, scratch_.begins[bucket + 1]);
      for (std::uint32_t j = std::max(seconds.begin, scratch_.begins[bucket]); j < end; ++j) {
        // Unless j is further away, the part of the far circle on this side is within R of i or j.
        if (scratch_.squared[j] > 2.99F * squared_radius_) {
          search_window<true>(j, window, take);
        } else {
          search_window<false>(j, window, take);
        }
      }
    }
  }

 private:
  template <class T>
  static void grow(std::vector<T>& array, std::size_t size) {
    if (array.size() < size) array.resize(size);
  }

  Point point(std::uint32_t index) const { return {grid_.x()[index], grid_.y()[index]}; }

  HWY_INLINE void find_neighbours(const IndexRange& range) {
    const FloatTag d;
    const IntTag di;
    const auto corner_x = hn::Set(di, grid_.x()[corner_]);
    const auto corner_y = hn::Set(di, grid_.y()[corner_]);
    const Floats zero = hn::Zero(d);
    for (std::uint32_t i = range.begin; i < range.end; i += static_cast<std::uint32_t>(lanes())) {
      const Floats x = hn::ConvertTo(d, hn::Sub(hn::LoadU(di, grid_.x() + i), corner_x));
      const Floats y = hn::ConvertTo(d, hn::Sub(hn::LoadU(di, grid_.y() + i), corner_y));
      const Floats squared = hn::MulAdd(x, x, hn::Mul(y, y));
      const Mask is_above = hn::Or(hn::Gt(y, zero), hn::And(hn::Eq(y, zero), hn::Gt(x, zero)));
      const Mask is_candidate = hn::And(is_above, hn::FirstN(d, range.end - i));
      const Mask is_side = hn::And(is_candidate, is_between(squared, kMargin));
      if (!hn::AllFalse(d, is_side)) put(i, x, y, is_side);
      const Mask may_be_side = hn::And(is_candidate, is_between(squared, -kMargin));
      const std::uint32_t open = bits_of(hn::AndNot(is_side, may_be_side));
      if (open != 0) put_exactly(i, open);
    }
  }

  // Returns true in lanes where R^2 < squared <= 4 R^2, by a margin in units of R^2.
  HWY_INLINE Mask is_between(Floats squared, float margin) const {
    const FloatTag d;
    return hn::And(hn::Gt(squared, hn::Set(d, (1 + margin) * squared_radius_)),
                   hn::Lt(squared, hn::Set(d, (4 - margin) * squared_radius_)));
  }

  HWY_INLINE void put(std::uint32_t first, Floats x, Floats y, Mask mask) {
    const FloatTag d;
    const UnsignedTag du;
    const IntTag di;
    const Floats t = hn::Div(y, hn::Add(hn::Abs(x), y));
    const Floats angle = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Sub(hn::Set(d, 2.0F), t), t);
    const auto bucket = hn::Min(hn::ConvertTo(di, hn::Mul(angle, hn::Set(d, kBuckets / 2))),
                                hn::Set(di, kBuckets - 1));
    const auto mask_of_integers = hn::RebindMask(du, mask);
    StarScratch::Neighbours& found = scratch_.found;
    // Some processors take very long to compress into memory.
    hn::StoreU(hn::Compress(x, mask), d, found.x.data() + count_);
    hn::StoreU(hn::Compress(y, mask), d, found.y.data() + count_);
    hn::StoreU(hn::Compress(hn::Iota(du, first), mask_of_integers), du,
               found.indices.data() + count_);
    hn::StoreU(hn::Compress(hn::BitCast(du, bucket), mask_of_integers), du,
               scratch_.buckets.data() + count_);
    count_ += static_cast<std::uint32_t>(hn::CountTrue(d, mask));
  }

  // Adds the points from `first` on, a bit each, that are at the right distance.
  HWY_NOINLINE void put_exactly(std::uint32_t first, std::uint32_t points) {
    const FloatTag d;
    for (; points != 0; points &= points - 1) {
      const std::uint32_t i = first + static_cast<std::uint32_t>(std::countr_zero(points));
      const Offset side = offset(point(corner_), point(i));
      if (!is_side(side, radius_)) continue;
      put(i, hn::Set(d, static_cast<float>(side.x)), hn::Set(d, static_cast<float>(side.y)),
          hn::FirstN(d, 1));
    }
  }

  HWY_INLINE void sort_neighbours() {
    std::uint32_t next[kBuckets] = {};
    for (std::uint32_t i = 0; i < count_; ++i) ++next[scratch_.buckets[i]];
    std::uint32_t end = 0;
    for (int bucket = 0; bucket < kBuckets; ++bucket) {
      scratch_.begins[bucket] = end;
      end += std::exchange(next[bucket], end);
    }
    scratch_.begins[kBuckets] = end;
    const StarScratch::Neighbours& found = scratch_.found;
    StarScratch::Neighbours& sorted = scratch_.sorted;
    for (std::uint32_t i = 0; i < count_; ++i) {
      const std::uint32_t to = next[scratch_.buckets[i]]++;
      sorted.x[to] = found.x[i];
      sorted.y[to] = found.y[i];
      sorted.indices[to] = found.indices[i];
    }
  }

  // The centres are j / 2 and, at right angles to that, s j to the one side and the other, where
  // 4 s^2 = (4 R^2 - |j|^2) / |j|^2; its numerator is small where it counts, hence exact.
  HWY_INLINE void find_circles() {
    const hn::Half<FloatTag> d;
    const hn::Rebind<double, hn::Half<FloatTag>> dd;
    const double diameter = 2.0 * radius_;
    const auto squared_diameter = hn::Set(dd, diameter * diameter);
    for (std::uint32_t j = 0; j < count_; j += static_cast<std::uint32_t>(hn::Lanes(d))) {
      const auto x = hn::LoadU(d, scratch_.sorted.x.data() + j);
      const auto y = hn::LoadU(d, scratch_.sorted.y.data() + j);
      const auto wide_x = hn::PromoteTo(dd, x);
      const auto wide_y = hn::PromoteTo(dd, y);
      const auto squared = hn::MulAdd(wide_x, wide_x, hn::Mul(wide_y, wide_y));
      const auto rest = hn::DemoteTo(d, hn::Sub(squared_diameter, squared));
      const auto squared_float = hn::DemoteTo(d, squared);
      const auto s = hn::Sqrt(hn::Div(rest, squared_float));
      const auto across_x = hn::Mul(s, y);
      const auto across_y = hn::Mul(s, x);
      hn::StoreU(squared_float, d, scratch_.squared.data() + j);
      hn::StoreU(hn::Sub(across_x, x), d, scratch_.near_x.data() + j);
      hn::StoreU(hn::Neg(hn::Add(across_y, y)), d, scratch_.near_y.data() + j);
      hn::StoreU(hn::Add(x, across_x), d, scratch_.far_x.data() + j);
      hn::StoreU(hn::Sub(y, across_y), d, scratch_.far_y.data() + j);
    }
  }

  // Each condition is that a sum is negative.
  template <bool kHasFar, class Take>
  HWY_INLINE void search_window(std::uint32_t j, const IndexRange& window, Take& take) const {
    const FloatTag d;
    const Floats margin = hn::Set(d, kMargin * squared_radius_);
    const Floats near_x = hn::Set(d, scratch_.near_x[j]);
    const Floats near_y = hn::Set(d, scratch_.near_y[j]);
    const Floats far_x = hn::Set(d, scratch_.far_x[j]);
    const Floats far_y = hn::Set(d, scratch_.far_y[j]);
    const Floats twice_x = hn::Set(d, 2 * scratch_.sorted.x[j]);
    const Floats twice_y = hn::Set(d, 2 * scratch_.sorted.y[j]);
    const Floats least = hn::Set(d, squared_radius_ - scratch_.squared[j]);
    if constexpr (Take::kAll) take.begin(window);
    for (std::uint32_t k = window.begin; k < window.end; k += static_cast<std::uint32_t>(lanes())) {
      const Floats x = hn::LoadU(d, scratch_.sorted.x.data() + k);
      const Floats y = hn::LoadU(d, scratch_.sorted.y.data() + k);
      const Floats squared = hn::LoadU(d, scratch_.squared.data() + k);
      const Floats in_near = hn::MulAdd(near_y, y, hn::MulAdd(near_x, x, squared));
      const Floats off_j = hn::MulAdd(twice_y, y, hn::MulAdd(twice_x, x, hn::Sub(least, squared)));
      Floats most = hn::Max(in_near, off_j);
      if constexpr (kHasFar) {
        most = hn::Max(most, hn::MulAdd(far_y, y, hn::MulSub(far_x, x, squared)));
      }
      Mask is_star = hn::Lt(most, hn::Neg(margin));
      Mask may_be_star = hn::Le(most, margin);
      if (window.end - k < lanes()) {
        const Mask in_window = hn::FirstN(d, window.end - k);
        is_star = hn::And(is_star, in_window);
        may_be_star = hn::And(may_be_star, in_window);
      }
      std::uint32_t stars = bits_of(is_star);
      const std::uint32_t open = bits_of(may_be_star) & ~stars;
      if (open != 0) stars |= stars_exactly(j, k, open);
      if (Take::kAll || stars != 0) take(j, stars, k);
    }
  }

  HWY_NOINLINE std::uint32_t stars_exactly(std::uint32_t j, std::uint32_t k,
                                           std::uint32_t open) const {
    std::uint32_t stars = 0;
    for (; open != 0; open &= open - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(open));
      const Offset a = offset(point(corner_), point(scratch_.sorted.indices[j]));
      const Offset b = offset(point(corner_), point(scratch_.sorted.indices[k + lane]));
      if (is_three_star(a, b, radius_)) stars |= 1U << lane;
    }
    return stars;
  }

  // Larger than the sum of all rounding errors, for sums whose terms are at most 4 R^2.
  static constexpr float kMargin = 0x1p-17F;

  const CellGrid& grid_;
  const CellGrid::Neighbours neighbours_;
  const std::int32_t radius_;
  const float squared_radius_;
  StarScratch& scratch_;
  std::uint32_t corner_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::three_star
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CPU_CORNER_SEARCH_INL_H_
