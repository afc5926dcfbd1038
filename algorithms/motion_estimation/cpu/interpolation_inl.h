// SPDX-License-Identifier: Apache-2.0

// Samples at half sample positions, in the vectors of the target being compiled. A part of
// motion_refine_simd.cc.

#include <millrace/algorithms/motion_estimation/cpu/search_window.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_INTERPOLATION_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_INTERPOLATION_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_INTERPOLATION_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_INTERPOLATION_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Six taps of 8-bit samples fit into 16 bits; those of 10 bits do not.
template <class Sample>
using FilterTag = std::conditional_t<sizeof(Sample) == 1, hn::CappedTag<std::int16_t, 32>,
                                     hn::CappedTag<std::int32_t, 16>>;

// Filters one row after another, and keeps its memory between rows.
template <class Sample>
class Interpolation {
  using D = FilterTag<Sample>;
  using V = hn::Vec<D>;
  using SampleTag = hn::Rebind<Sample, D>;

 public:
  // Samples that filters, and vectors, read before and behind their outputs.
  static constexpr int kBefore = 2;
  static constexpr int kBehind = 3;
  static constexpr int kSlack = 32 + kBefore + kBehind;

  // Makes pairs as in HalfSamples: `width` in both rows, rounded up to whole vectors, from sample
  // `first_x` of row y + kBefore of the window on. The window has kBefore samples and rows before
  // them, kSlack samples and kBehind rows behind them.
  void run(const SearchWindow<Sample>& window, int first_x, int y, int width, Sample* whole_row,
           Sample* half_row) {
    const Sample* rows[6];
    for (int i = 0; i < 6; ++i) rows[i] = window.row(y + i) + first_x;
    const D d;
    const SampleTag ds;
    const int lanes = static_cast<int>(hn::Lanes(d));
    filtered_.resize(static_cast<std::size_t>(width) + 2 * kSlack);
    for (int x = -kBefore; x < width + kBehind; x += lanes) {
      const V v = six_taps(load(rows[0] + x), load(rows[1] + x), load(rows[2] + x),
                           load(rows[3] + x), load(rows[4] + x), load(rows[5] + x));
      hn::StoreU(v, d, filtered_.data() + kBefore + x);
    }
    for (int x = 0; x < width; x += lanes) {
      const Sample* const row = rows[2] + x;
      const V b = six_taps(load(row - 2), load(row - 1), load(row), load(row + 1), load(row + 2),
                           load(row + 3));
      hn::StoreInterleaved2(hn::LoadU(ds, row), rounded(b), ds, whole_row + 2 * x);
      const auto* const v = filtered_.data() + x;
      hn::StoreInterleaved2(rounded(hn::LoadU(d, v + 2)), twice_filtered(v), ds, half_row + 2 * x);
    }
  }

 private:
  static HWY_INLINE V load(const Sample* from) {
    return hn::PromoteTo(D(), hn::LoadU(SampleTag(), from));
  }

  // Returns a - 5 b + 20 c of the pairs from the outermost inwards.
  static HWY_INLINE V six_taps(V a, V b, V c, V d, V e, V f) {
    const V outer = hn::Add(a, f);
    const V middle = hn::Add(b, e);
    const V inner = hn::Add(c, d);
    const V fives = hn::Sub(hn::ShiftLeft<2>(inner), middle);
    return hn::Add(outer, hn::Add(fives, hn::ShiftLeft<2>(fives)));
  }

  static HWY_INLINE hn::Vec<SampleTag> rounded(V taps) {
    return clipped(hn::ShiftRight<5>(hn::Add(taps, hn::Set(D(), 16))));
  }

  static HWY_INLINE hn::Vec<SampleTag> clipped(V values) {
    if constexpr (sizeof(Sample) == 1) {
      return hn::DemoteTo(SampleTag(), values);
    } else {
      return hn::DemoteTo(SampleTag(), hn::Min(values, hn::Set(D(), kLargestSample<Sample>)));
    }
  }

  // Returns j, computed from the results of the column filter around it.
  template <class T>
  static HWY_INLINE hn::Vec<SampleTag> twice_filtered(const T* v) {
    const D d;
    const V outer_1 = hn::LoadU(d, v);
    const V outer_2 = hn::LoadU(d, v + 5);
    const V middle_1 = hn::LoadU(d, v + 1);
    const V middle_2 = hn::LoadU(d, v + 4);
    const V inner_1 = hn::LoadU(d, v + 2);
    const V inner_2 = hn::LoadU(d, v + 3);
    if constexpr (sizeof(Sample) == 1) {
      // Computes (a - 5 b + 20 c + 512) >> 10 as ((((a - b) >> 2) - b + c) >> 2) + c + 32 >> 6.
      // The result is equal, because the additional rounding down changes nothing. The steps fit
      // into 16 bits unless the sample is clipped anyway.
      const V a = hn::Add(outer_1, outer_2);
      const V b = hn::Add(middle_1, middle_2);
      const V c = hn::Add(inner_1, inner_2);
      const V fourth = hn::ShiftRight<2>(hn::Sub(a, b));
      const V sixteenth = hn::ShiftRight<2>(hn::SaturatedAdd(fourth, hn::Sub(c, b)));
      return clipped(hn::ShiftRight<6>(hn::Add(hn::Add(sixteenth, c), hn::Set(d, 32))));
    } else {
      const V taps = six_taps(outer_1, middle_1, inner_1, inner_2, middle_2, outer_2);
      return clipped(hn::ShiftRight<10>(hn::Add(taps, hn::Set(d, 512))));
    }
  }

  std::vector<hn::TFromD<D>> filtered_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_INTERPOLATION_INL_H_
