// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/chunk_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/three_star/chunks/chunk_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace millrace::three_star {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr HWY_CAPPED(std::uint32_t, 64) kIds;
using Ids = hn::Vec<decltype(kIds)>;
using IdMask = hn::Mask<decltype(kIds)>;

// This many elements behind the last of a record's neighbours are read and written.
constexpr std::size_t kPadding = 64;

// Calls take(k, mask, count) for a vector of neighbours from k on, of which those in the mask, and
// at least one, are third corners in the window.
template <class Take>
HWY_INLINE void for_each_vector(const StarRecord::Window& window, const Take& take) {
  const auto lanes = static_cast<std::uint32_t>(hn::Lanes(kIds));
  for (std::uint32_t first = 0; first < window.thirds.size(); first += 64) {
    std::uint64_t bits = window.word(first);
    for (std::uint32_t k = window.thirds.begin + first; bits != 0; k += lanes) {
      const std::uint64_t own = lanes < 64 ? bits & ((std::uint64_t{1} << lanes) - 1) : bits;
      bits = lanes < 64 ? bits >> lanes : 0;
      if (own == 0) continue;
      take(k, hn::LoadMaskBits(kIds, reinterpret_cast<const std::uint8_t*>(&own)),
           static_cast<std::uint32_t>(hwy::PopCount(own)));
    }
  }
}

// Expands one record after another: all 3-stars, or those whose lowest point is in a range.
template <bool kAll>
class Expansion {
 public:
  Expansion(const StarVisitor& visitor, const IndexRange& lowest)
      : visitor_(visitor), lowest_(lowest), stars_(kMost + kPadding) {}

  void add(const StarRecord& record) {
    const std::size_t count = record.neighbours();
    if (ids_.size() < count + kPadding) ids_.resize(count + kPadding);
    if (thirds_.size() < count + kPadding) thirds_.resize(count + kPadding);
    for (std::uint32_t k = 0; k < count; ++k) ids_[k] = record.id(k);
    for (auto window = record.first(); !record.is_end(window); window = record.next(window)) {
      expand(record.corner(), window);
    }
  }

  // Returns how many were passed to the visitor.
  std::uint64_t finish() {
    if (count_ > 0) hand_on();
    return visited_;
  }

 private:
  static constexpr std::size_t kMost = 4096;

  HWY_INLINE void expand(std::uint32_t corner, const StarRecord::Window& window) {
    const std::uint32_t second = ids_[window.second];
    const std::size_t count = collect(std::min(corner, second), window);
    const Ids low = hn::Set(kIds, std::min(corner, second));
    const Ids high = hn::Set(kIds, std::max(corner, second));
    for (std::size_t first = 0; first < count; first += hn::Lanes(kIds)) {
      const Ids third = hn::LoadU(kIds, &thirds_[first]);
      hn::StoreInterleaved3(hn::Min(low, third), hn::Max(low, hn::Min(third, high)),
                            hn::Max(high, third), kIds, &stars_[count_].a);
      count_ += std::min<std::size_t>(hn::Lanes(kIds), count - first);
      if (count_ >= kMost) hand_on();
    }
  }

  // Collects the wanted third corners of a window. `low` is the lower of the other two.
  HWY_INLINE std::size_t collect(std::uint32_t low, const StarRecord::Window& window) {
    std::size_t count = 0;
    if (!kAll && low < lowest_.begin) return count;
    const Ids first = hn::Set(kIds, lowest_.begin);
    const std::uint32_t end = low < lowest_.end ? ~std::uint32_t{0} : lowest_.end - 1;
    const Ids last = hn::Set(kIds, end - lowest_.begin);
    for_each_vector(window, [&](std::uint32_t k, const IdMask& mask, std::uint32_t of_mask) {
      const Ids thirds = hn::LoadU(kIds, &ids_[k]);
      if constexpr (kAll) {
        hn::StoreU(hn::Compress(thirds, mask), kIds, &thirds_[count]);
        count += of_mask;
      } else {
        const Ids behind = thirds - first;
        const IdMask wanted = hn::And(mask, hn::Eq(hn::Min(behind, last), behind));
        if (hn::AllFalse(kIds, wanted)) return;
        hn::StoreU(hn::Compress(thirds, wanted), kIds, &thirds_[count]);
        count += hn::CountTrue(kIds, wanted);
      }
    });
    return count;
  }

  void hand_on() {
    visited_ += count_;
    visitor_(std::span(stars_).first(count_));
    count_ = 0;
  }

  const StarVisitor& visitor_;
  const IndexRange lowest_;
  std::vector<std::uint32_t> ids_;     // Ids of the record's neighbours.
  std::vector<std::uint32_t> thirds_;  // Ids of a window's third corners.
  std::vector<ThreeStar> stars_;
  std::size_t count_ = 0;
  std::uint64_t visited_ = 0;
};

std::uint64_t visit_all(const StarChunk& chunk, std::size_t first, std::size_t end,
                        const StarVisitor& visitor) {
  Expansion<true> expansion(visitor, {});
  for (std::size_t i = first; i < end; ++i) expansion.add(chunk.record(i));
  return expansion.finish();
}

void visit_some(const StarChunk& chunk, const IndexRange& lowest, const StarVisitor& visitor) {
  Expansion<false> expansion(visitor, lowest);
  for (std::size_t i = 0; i < chunk.records(); ++i) expansion.add(chunk.record(i));
  expansion.finish();
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::three_star
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::three_star {

HWY_EXPORT(visit_all);
HWY_EXPORT(visit_some);

std::uint64_t visit_records(const StarChunk& chunk, std::size_t first, std::size_t end,
                            const StarVisitor& visitor) {
  return HWY_DYNAMIC_DISPATCH(visit_all)(chunk, first, end, visitor);
}

void visit_records_of(const StarChunk& chunk, const IndexRange& lowest,
                      const StarVisitor& visitor) {
  HWY_DYNAMIC_DISPATCH(visit_some)(chunk, lowest, visitor);
}

}  // namespace millrace::three_star
#endif  // HWY_ONCE
