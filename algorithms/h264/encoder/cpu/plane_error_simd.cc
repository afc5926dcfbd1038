// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/cpu/plane_error_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/h264/encoder/cpu/plane_error_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires this after foreach_target.h:
#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

std::uint64_t plane_error(SampleRows a, SampleRows b, int width, int height) {
  const hn::ScalableTag<std::int16_t> d;
  const hn::Rebind<std::uint8_t, decltype(d)> d_bytes;
  const hn::RepartitionToWide<decltype(d)> d_sums;
  const int lanes = static_cast<int>(hn::Lanes(d));
  std::uint64_t total = 0;
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* const row_a = a.samples + y * a.stride;
    const std::uint8_t* const row_b = b.samples + y * b.stride;
    // A row of 4096 samples adds less than 2^29 in all.
    auto sum = hn::Zero(d_sums);
    auto other_sum = hn::Zero(d_sums);
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
      const auto difference = hn::Sub(hn::PromoteTo(d, hn::LoadU(d_bytes, row_a + x)),
                                      hn::PromoteTo(d, hn::LoadU(d_bytes, row_b + x)));
      sum = hn::ReorderWidenMulAccumulate(d_sums, difference, difference, sum, other_sum);
    }
    total +=
        static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(d_sums, hn::Add(sum, other_sum))));
    for (; x < width; ++x) {
      const int difference = row_a[x] - row_b[x];
      total += static_cast<std::uint32_t>(difference * difference);
    }
  }
  return total;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::h264
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::h264 {

HWY_EXPORT(plane_error);

std::uint64_t plane_error_simd(SampleRows a, SampleRows b, int width, int height) {
  return HWY_DYNAMIC_DISPATCH(plane_error)(a, b, width, height);
}

}  // namespace millrace::h264
#endif  // HWY_ONCE
