// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/stream/interleave.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/radix_sort/stream/interleave.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <bit>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
inline constexpr std::size_t kMostLanes = 32 / sizeof(T);

// Number of set lower lanes, for each mask of lanes and each lane.
template <class T>
struct LaneRanks {
  LaneRanks() {
    for (unsigned mask = 0; mask < 1U << kMostLanes<T>; ++mask) {
      for (unsigned lane = 0; lane < kMostLanes<T>; ++lane) {
        of[mask][lane] = static_cast<T>(std::popcount(mask & ((1U << lane) - 1)));
      }
    }
  }
  alignas(64) T of[1 << kMostLanes<T>][kMostLanes<T>];
};

template <class T>
void interleave_values(const std::uint32_t* mask, std::span<const T> early, std::span<const T> late,
                       std::span<T> out) {
  static const LaneRanks<T> kRanks;
  const hn::CappedTag<T, kMostLanes<T>> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto lane_bits = hn::Shl(hn::Set(d, T{1}), hn::Iota(d, T{0}));
  const T* e = early.data();
  const T* l = late.data();
  std::size_t i = 0;
  // Vectors are loaded whole, so loads end before the last whole vector.
  const T* const last_e = e + early.size() - std::min(early.size(), lanes);
  const T* const last_l = l + late.size() - std::min(late.size(), lanes);
  const bool are_long = early.size() >= lanes && late.size() >= lanes;
  // Outputs are not read again soon, so stores bypass the caches.
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(out.data()) % (lanes * sizeof(T)) == 0;
  while (are_long && i + lanes <= out.size() && e <= last_e && l <= last_l) {
    const std::uint32_t set = mask[i / 32] >> (i % 32) & ((1U << lanes) - 1);
    const auto rank = hn::Load(d, kRanks.of[set]);
    const auto late_rank = hn::Sub(hn::Iota(d, T{0}), rank);
    const auto from_early = hn::TableLookupLanes(hn::LoadU(d, e), hn::IndicesFromVec(d, rank));
    const auto from_late = hn::TableLookupLanes(hn::LoadU(d, l), hn::IndicesFromVec(d, late_rank));
    const auto is_early = hn::TestBit(hn::Set(d, static_cast<T>(set)), lane_bits);
    const auto interleaved = hn::IfThenElse(is_early, from_early, from_late);
    if (is_aligned) {
      hn::Stream(interleaved, d, out.data() + i);
    } else {
      hn::StoreU(interleaved, d, out.data() + i);
    }
    const int ones = std::popcount(set);
    e += ones;
    l += lanes - ones;
    i += lanes;
  }
  hwy::FlushStream();
  for (; i < out.size(); ++i) out[i] = (mask[i / 32] >> (i % 32) & 1) != 0 ? *e++ : *l++;
}

void interleave_32(const std::uint32_t* mask, std::span<const std::uint32_t> early,
                   std::span<const std::uint32_t> late, std::span<std::uint32_t> out) {
  interleave_values(mask, early, late, out);
}

void interleave_64(const std::uint32_t* mask, std::span<const std::uint64_t> early,
                   std::span<const std::uint64_t> late, std::span<std::uint64_t> out) {
  interleave_values(mask, early, late, out);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::radix_sort {

HWY_EXPORT(interleave_32);
HWY_EXPORT(interleave_64);

template <>
void interleave(const std::uint32_t* mask, std::span<const std::uint32_t> early,
                std::span<const std::uint32_t> late, std::span<std::uint32_t> out) {
  HWY_DYNAMIC_DISPATCH(interleave_32)(mask, early, late, out);
}

template <>
void interleave(const std::uint32_t* mask, std::span<const std::uint64_t> early,
                std::span<const std::uint64_t> late, std::span<std::uint64_t> out) {
  HWY_DYNAMIC_DISPATCH(interleave_64)(mask, early, late, out);
}

}  // namespace millrace::radix_sort
#endif  // HWY_ONCE
