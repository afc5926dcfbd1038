// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/paper/paper_chunk_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/three_star/paper/paper_chunk_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <millrace/algorithms/three_star/chunks/star_chunk.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace millrace::three_star {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr HWY_CAPPED(std::uint8_t, 64) kBytes;
constexpr HWY_CAPPED(std::uint32_t, 16) kIds;
constexpr hn::Rebind<std::int32_t, decltype(kIds)> kIndices;
constexpr hn::Rebind<std::uint8_t, decltype(kIds)> kLocals;

const std::uint8_t* bytes_of(std::span<const std::byte> local) {
  return reinterpret_cast<const std::uint8_t*>(local.data());
}

bool are_in(const PaperCorners& corners, std::span<const std::byte> local) {
  const std::uint8_t* const from = bytes_of(local);
  std::uint8_t last[3];
  for (std::size_t corner = 0; corner < 3; ++corner) {
    if (corners.ids[corner].empty()) return local.empty();
    last[corner] = static_cast<std::uint8_t>(corners.ids[corner].size() - 1);
  }
  const auto last_a = hn::Set(kBytes, last[0]);
  const auto last_b = hn::Set(kBytes, last[1]);
  const auto last_c = hn::Set(kBytes, last[2]);
  const std::size_t lanes = hn::Lanes(kBytes);
  auto behind = hn::Zero(kBytes);  // Not 0 in lanes behind the end.
  std::size_t i = 0;
  for (; i + 3 * lanes <= local.size(); i += 3 * lanes) {
    hn::Vec<decltype(kBytes)> a;
    hn::Vec<decltype(kBytes)> b;
    hn::Vec<decltype(kBytes)> c;
    hn::LoadInterleaved3(kBytes, from + i, a, b, c);
    behind =
        hn::Or(behind, hn::Or(hn::SaturatedSub(a, last_a),
                              hn::Or(hn::SaturatedSub(b, last_b), hn::SaturatedSub(c, last_c))));
  }
  bool are_all = hn::AllTrue(kBytes, hn::Eq(behind, hn::Zero(kBytes)));
  for (; i < local.size(); ++i) are_all = are_all && from[i] <= last[i % 3];
  return are_all;
}

HWY_INLINE hn::Vec<decltype(kIds)> ids_of(std::span<const std::uint32_t> ids,
                                          hn::Vec<decltype(kLocals)> local) {
  return hn::GatherIndex(kIds, ids.data(), hn::PromoteTo(kIndices, local));
}

void write(const PaperCorners& corners, std::span<const std::byte> local, ThreeStar* stars) {
  const std::uint8_t* const from = bytes_of(local);
  const std::size_t lanes = hn::Lanes(kIds);
  const std::size_t count = local.size() / 3;
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::Vec<decltype(kLocals)> first;
    hn::Vec<decltype(kLocals)> second;
    hn::Vec<decltype(kLocals)> third;
    hn::LoadInterleaved3(kLocals, from + 3 * i, first, second, third);
    const auto a = ids_of(corners.ids[0], first);
    const auto b = ids_of(corners.ids[1], second);
    const auto c = ids_of(corners.ids[2], third);
    const auto low = hn::Min(a, b);
    const auto high = hn::Max(a, b);
    hn::StoreInterleaved3(hn::Min(low, c), hn::Max(low, hn::Min(c, high)), hn::Max(high, c), kIds,
                          &stars[i].a);
  }
  for (; i < count; ++i) {
    stars[i] = star_of(corners.ids[0][from[3 * i]], corners.ids[1][from[3 * i + 1]],
                       corners.ids[2][from[3 * i + 2]]);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::three_star
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::three_star {

HWY_EXPORT(are_in);
HWY_EXPORT(write);

bool are_in_segments(const PaperCorners& corners, std::span<const std::byte> local) {
  return HWY_DYNAMIC_DISPATCH(are_in)(corners, local);
}

void write_out(const PaperCorners& corners, std::span<const std::byte> local, ThreeStar* stars) {
  HWY_DYNAMIC_DISPATCH(write)(corners, local, stars);
}

}  // namespace millrace::three_star
#endif  // HWY_ONCE
