// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/fast_search/block_distance_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/motion_estimation/fast_search/block_distance_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <millrace/algorithms/motion_estimation/fast_search/block_distance_inl.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

template <class Sample>
inline constexpr BlockDistance<Sample> kDistance = {&sad<Sample>, &satd<Sample>, &average<Sample>,
                                                    &row_costs<Sample>};

}  // namespace

const BlockDistance<std::uint8_t>& distance_8() { return kDistance<std::uint8_t>; }
const BlockDistance<std::uint16_t>& distance_10() { return kDistance<std::uint16_t>; }

}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::motion {

HWY_EXPORT(distance_8);
HWY_EXPORT(distance_10);

template <>
const BlockDistance<std::uint8_t>& block_distance() {
  return HWY_DYNAMIC_DISPATCH(distance_8)();
}

template <>
const BlockDistance<std::uint16_t>& block_distance() {
  return HWY_DYNAMIC_DISPATCH(distance_10)();
}

}  // namespace millrace::motion
#endif  // HWY_ONCE
