// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/record_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/three_star/chunks/record_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace millrace::three_star {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Loads from any byte on.
template <class D>
HWY_INLINE hn::Vec<D> load(D d, const std::byte* from) {
#if HWY_TARGET == HWY_SCALAR
  hn::TFromD<D> value;
  std::memcpy(&value, from, sizeof value);
  return hn::Set(d, value);
#else
  const hn::Repartition<std::uint8_t, D> bytes;
  return hn::BitCast(d, hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(from)));
#endif
}

// Calls test(i) for vectors of `lanes` elements that cover all of `count`; the last two may
// overlap. Returns false if there are fewer elements than lanes.
template <class Test>
HWY_INLINE bool for_all_vectors(std::size_t lanes, std::size_t count, const Test& test) {
  if (count < lanes) return false;
  for (std::size_t i = 0; i < count - lanes; i += lanes) test(i);
  test(count - lanes);
  return true;
}

template <class Id>
bool are_below(const std::byte* ids, std::size_t count, std::uint32_t end) {
  if (count == 0 || end > Id(-1)) return true;
  if (end == 0) return false;
  constexpr HWY_CAPPED(Id, 64 / sizeof(Id)) kIds;
  const auto last = hn::Set(kIds, static_cast<Id>(end - 1));
  bool are = true;
  const bool are_seen = for_all_vectors(hn::Lanes(kIds), count, [&](std::size_t i) {
    const auto own = load(kIds, ids + i * sizeof(Id));
    are &= hn::AllTrue(kIds, hn::Eq(hn::Max(own, last), last));
  });
  for (std::size_t i = are_seen ? count : 0; i < count; ++i) {
    Id id;
    std::memcpy(&id, ids + i * sizeof id, sizeof id);
    are &= id < end;
  }
  return are;
}

bool are_below_of(const std::byte* ids, std::size_t id_bytes, std::size_t count,
                  std::uint32_t end) {
  return id_bytes == 2 ? are_below<std::uint16_t>(ids, count, end)
                       : are_below<std::uint32_t>(ids, count, end);
}

bool are_in_order(std::span<const std::uint8_t> buckets) {
  constexpr HWY_CAPPED(std::uint8_t, 64) kBytes;
  if (buckets.size() < 2) return true;
  const std::size_t pairs = buckets.size() - 1;
  bool are = true;
  const bool are_seen = for_all_vectors(hn::Lanes(kBytes), pairs, [&](std::size_t i) {
    const auto before = hn::LoadU(kBytes, &buckets[i]);
    const auto own = hn::LoadU(kBytes, &buckets[i + 1]);
    are &= hn::AllTrue(kBytes, hn::Eq(hn::Min(before, own), before));
  });
  for (std::size_t i = are_seen ? pairs : 0; i < pairs; ++i) are &= buckets[i] <= buckets[i + 1];
  return are;
}

// Each neighbour writes that its bucket ends behind it, the last one of a bucket last; buckets
// without any end where the one before does.
bool find_begins(std::span<const std::uint8_t> buckets, std::span<std::uint32_t> begins) {
  std::fill(begins.begin(), begins.end(), 0);
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    begins[buckets[i] + 1] = static_cast<std::uint32_t>(i + 1);
  }
  std::size_t b = 1;
#if HWY_TARGET != HWY_SCALAR
  constexpr HWY_CAPPED(std::uint32_t, 4) kEnds;
  const std::size_t lanes = hn::Lanes(kEnds);
  auto before = hn::Zero(kEnds);
  for (; b + lanes <= begins.size(); b += lanes) {
    auto ends = hn::LoadU(kEnds, begins.data() + b);
    ends = hn::Max(ends, hn::ShiftLeftLanes<1>(ends));
    ends = hn::Max(ends, hn::ShiftLeftLanes<2>(ends));
    ends = hn::Max(ends, before);
    hn::StoreU(ends, kEnds, begins.data() + b);
    before = hn::Broadcast<3>(ends);
  }
#endif
  for (; b < begins.size(); ++b) begins[b] = std::max(begins[b], begins[b - 1]);
  return are_in_order(buckets);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::three_star
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::three_star {

HWY_EXPORT(are_below_of);
HWY_EXPORT(find_begins);

bool are_ids_below(const std::byte* ids, std::size_t id_bytes, std::size_t count,
                   std::uint32_t end) {
  return HWY_DYNAMIC_DISPATCH(are_below_of)(ids, id_bytes, count, end);
}

bool find_bucket_begins(std::span<const std::uint8_t> buckets, std::span<std::uint32_t> begins) {
  return HWY_DYNAMIC_DISPATCH(find_begins)(buckets, begins);
}

}  // namespace millrace::three_star
#endif  // HWY_ONCE
