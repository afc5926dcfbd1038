#include <millrace/algorithms/three_star/chunk_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/three_star/chunk_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// After foreach_target.h, as Highway asks:
#include <hwy/highway.h>

#include <algorithm>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace millrace::three_star {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr HWY_CAPPED(std::uint32_t, 64) kIds;
using Ids = hn::Vec<decltype(kIds)>;
using IdMask = hn::Mask<decltype(kIds)>;

// So many elements behind the last of a record's neighbours are read and written.
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

// One record after another, written out: all 3-stars, or those whose lowest point is among some.
template <bool kAll>
class Expansion {
 public:
  Expansion(const StarVisitor& visitor, const PlaceRange& lowest)
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

  // Returns how many were handed on.
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

  // Of a window's third corners those wanted. `low` is the lower of the other two.
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
  const PlaceRange lowest_;
  std::vector<std::uint32_t> ids_;     // Of the record's neighbours.
  std::vector<std::uint32_t> thirds_;  // Of a window's third corners.
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

void visit_some(const StarChunk& chunk, const PlaceRange& lowest, const StarVisitor& visitor) {
  Expansion<false> expansion(visitor, lowest);
  for (std::size_t i = 0; i < chunk.records(); ++i) expansion.add(chunk.record(i));
  expansion.finish();
}

// How often each of a record's neighbours is a third corner. Bytes count, and are added up before
// they could overflow; they are read and written by whole blocks that begin where others do, since
// what has just been written in other pieces is slow to read.
class ThirdCounts {
 public:
  void start(std::size_t neighbours) {
    counts_.assign(neighbours, 0);
    few_.assign((neighbours + 63) / 64 * 64 + kPadding, 0);
    windows_ = 0;
  }

  // Returns how many third corners the window has.
  HWY_INLINE std::uint32_t add(const StarRecord::Window& window) {
    if (windows_++ == 255) flush();
    const std::uint32_t shift = window.thirds.begin % 64;
    std::uint8_t* block = &few_[window.thirds.begin - shift];
    std::uint64_t before = 0;
    std::uint32_t thirds = 0;
    for (std::uint32_t first = 0; first < window.thirds.size(); first += 64, block += 64) {
      const std::uint64_t bits = window.word(first);
      thirds += static_cast<std::uint32_t>(hwy::PopCount(bits));
      add(bits << shift | before, block);
      before = shift == 0 ? 0 : bits >> (64 - shift);
    }
    if (before != 0) add(before, block);
    return thirds;
  }

  const std::vector<std::uint32_t>& finish() {
    flush();
    return counts_;
  }

 private:
  static constexpr HWY_CAPPED(std::uint8_t, 64) kBytes{};

  HWY_INLINE static void add(std::uint64_t bits, std::uint8_t* block) {
    for (std::size_t i = 0; i < 64; i += hn::Lanes(kBytes), bits >>= hn::Lanes(kBytes) % 64) {
      const auto mask = hn::LoadMaskBits(kBytes, reinterpret_cast<const std::uint8_t*>(&bits));
      const auto counts = hn::LoadU(kBytes, block + i);
      hn::StoreU(hn::Sub(counts, hn::VecFromMask(kBytes, mask)), kBytes, block + i);
    }
  }

  void flush() {
    for (std::size_t k = 0; k < counts_.size(); ++k) counts_[k] += few_[k];
    std::fill(few_.begin(), few_.end(), 0);
    windows_ = 1;
  }

  std::vector<std::uint32_t> counts_;
  std::vector<std::uint8_t> few_;
  int windows_ = 0;  // Whose counts are in few_.
};

std::uint64_t count_all(const StarChunk& chunk, std::size_t first, std::size_t end,
                        std::span<std::uint64_t> stars_of) {
  ThirdCounts thirds;
  std::vector<std::uint32_t> as_second;  // Of a record's neighbours.
  std::uint64_t all = 0;
  for (std::size_t i = first; i < end; ++i) {
    const StarRecord record = chunk.record(i);
    thirds.start(record.neighbours());
    as_second.assign(record.neighbours(), 0);
    std::uint64_t of_corner = 0;
    for (auto window = record.first(); !record.is_end(window); window = record.next(window)) {
      as_second[window.second] = thirds.add(window);
      of_corner += as_second[window.second];
    }
    const std::vector<std::uint32_t>& as_third = thirds.finish();
    stars_of[record.corner()] += of_corner;
    for (std::uint32_t k = 0; k < record.neighbours(); ++k) {
      stars_of[record.id(k)] += as_second[k] + as_third[k];
    }
    all += of_corner;
  }
  return all;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::three_star
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::three_star {

HWY_EXPORT(visit_all);
HWY_EXPORT(visit_some);
HWY_EXPORT(count_all);

std::uint64_t visit_records(const StarChunk& chunk, std::size_t first, std::size_t end,
                            const StarVisitor& visitor) {
  return HWY_DYNAMIC_DISPATCH(visit_all)(chunk, first, end, visitor);
}

void visit_records_of(const StarChunk& chunk, const PlaceRange& lowest,
                      const StarVisitor& visitor) {
  HWY_DYNAMIC_DISPATCH(visit_some)(chunk, lowest, visitor);
}

std::uint64_t count_sensors_of_records(const StarChunk& chunk, std::size_t first, std::size_t end,
                                       std::span<std::uint64_t> stars_of) {
  return HWY_DYNAMIC_DISPATCH(count_all)(chunk, first, end, stars_of);
}

}  // namespace millrace::three_star
#endif  // HWY_ONCE
