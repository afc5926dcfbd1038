// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/cpu/motion_refine_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/motion_estimation/cpu/motion_refine_simd.cc"
#include <millrace/algorithms/motion_estimation/cpu/motion_targets.h>
// Highway requires this after foreach_target.h:
#include <millrace/algorithms/motion_estimation/cpu/interpolation_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/refinement_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/search_window.h>
#include <millrace/algorithms/motion_estimation/cpu/skip_distortion_inl.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

template <class Sample>
void interpolate(const LumaPlane<Sample>& plane, int row, const HalfSamples<Sample>& to) {
  constexpr int kMargin = HalfSamples<Sample>::kMargin;
  using Filter = Interpolation<Sample>;
  const int first = row == 0 ? -kMargin : kMacroblockWidth * row;
  const int after = kMacroblockWidth * (row + 1);
  const int end = after == plane.height ? after + kMargin : after;
  const int width = static_cast<int>(to.stride / 2);
  SearchWindow<Sample> window;
  window.move(plane, -kMargin - Filter::kBefore, first - Filter::kBefore,
              width + Filter::kBefore + Filter::kSlack,
              end - first + Filter::kBefore + Filter::kBehind);
  Filter filter;
  for (int y = first; y < end; ++y) {
    filter.run(window, Filter::kBefore, y - first, width, to.whole_rows + to.offset(-kMargin, y),
               to.half_rows + to.offset(-kMargin, y));
  }
}

template <class Sample>
void refine(const SearchFrame<Sample>& frame, const HalfSamples<Sample>& half_samples,
            const SearchRates& rates, Precision precision, int row, const MotionField& field) {
  Refinement<Sample> refinement(frame, half_samples, rates);
  const auto per_row = static_cast<std::size_t>(frame.current.macroblocks_per_row());
  for (std::size_t column = 0; column < per_row; ++column) {
    const std::size_t macroblock = per_row * static_cast<std::size_t>(row) + column;
    const std::size_t first = MotionField::index(macroblock, 0);
    refinement.refine(macroblock, precision, field.vectors + first, field.costs + first);
  }
}

template <class Sample>
void find_skips(const SearchFrame<Sample>& frame, Precision precision, int row,
                std::uint32_t* distortions) {
  SkipDistortion<Sample> skip(frame, precision);
  const auto per_row = static_cast<std::size_t>(frame.current.macroblocks_per_row());
  for (std::size_t column = 0; column < per_row; ++column) {
    distortions[column] = skip.of(per_row * static_cast<std::size_t>(row) + column);
  }
}

}  // namespace

void interpolate_8(const LumaPlane<std::uint8_t>& plane, int row,
                   const HalfSamples<std::uint8_t>& to) {
  interpolate(plane, row, to);
}
void interpolate_10(const LumaPlane<std::uint16_t>& plane, int row,
                    const HalfSamples<std::uint16_t>& to) {
  interpolate(plane, row, to);
}
void refine_8(const SearchFrame<std::uint8_t>& frame, const HalfSamples<std::uint8_t>& half_samples,
              const SearchRates& rates, Precision precision, int row, const MotionField& field) {
  refine(frame, half_samples, rates, precision, row, field);
}
void refine_10(const SearchFrame<std::uint16_t>& frame,
               const HalfSamples<std::uint16_t>& half_samples, const SearchRates& rates,
               Precision precision, int row, const MotionField& field) {
  refine(frame, half_samples, rates, precision, row, field);
}
void find_skips_8(const SearchFrame<std::uint8_t>& frame, Precision precision, int row,
                  std::uint32_t* distortions) {
  find_skips(frame, precision, row, distortions);
}
void find_skips_10(const SearchFrame<std::uint16_t>& frame, Precision precision, int row,
                   std::uint32_t* distortions) {
  find_skips(frame, precision, row, distortions);
}

}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::motion {

HWY_EXPORT(interpolate_8);
HWY_EXPORT(interpolate_10);
HWY_EXPORT(refine_8);
HWY_EXPORT(refine_10);
HWY_EXPORT(find_skips_8);
HWY_EXPORT(find_skips_10);

template <>
void interpolate_row(const LumaPlane<std::uint8_t>& plane, int row,
                     const HalfSamples<std::uint8_t>& to) {
  HWY_DYNAMIC_DISPATCH(interpolate_8)(plane, row, to);
}

template <>
void interpolate_row(const LumaPlane<std::uint16_t>& plane, int row,
                     const HalfSamples<std::uint16_t>& to) {
  HWY_DYNAMIC_DISPATCH(interpolate_10)(plane, row, to);
}

template <>
void refine_row(const SearchFrame<std::uint8_t>& frame,
                const HalfSamples<std::uint8_t>& half_samples, const SearchRates& rates,
                Precision precision, int row, const MotionField& field) {
  HWY_DYNAMIC_DISPATCH(refine_8)(frame, half_samples, rates, precision, row, field);
}

template <>
void refine_row(const SearchFrame<std::uint16_t>& frame,
                const HalfSamples<std::uint16_t>& half_samples, const SearchRates& rates,
                Precision precision, int row, const MotionField& field) {
  HWY_DYNAMIC_DISPATCH(refine_10)(frame, half_samples, rates, precision, row, field);
}

template <>
void find_skip_distortions(const SearchFrame<std::uint8_t>& frame, Precision precision, int row,
                           std::uint32_t* distortions) {
  HWY_DYNAMIC_DISPATCH(find_skips_8)(frame, precision, row, distortions);
}

template <>
void find_skip_distortions(const SearchFrame<std::uint16_t>& frame, Precision precision, int row,
                           std::uint32_t* distortions) {
  HWY_DYNAMIC_DISPATCH(find_skips_10)(frame, precision, row, distortions);
}

}  // namespace millrace::motion
#endif  // HWY_ONCE
