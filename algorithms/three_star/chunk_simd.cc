#include <millrace/algorithms/three_star/chunk_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/three_star/chunk_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// After foreach_target.h, as Highway asks:
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

constexpr HWY_CAPPED(std::uint64_t, 8) kWords;
using Words = hn::Vec<decltype(kWords)>;

// Bits of a vector, a neighbour each: a row.
constexpr std::uint32_t kRowBytes = 8 * hn::MaxLanes(kWords);
constexpr std::uint32_t kRowBits = 8 * kRowBytes;

// Rows whose first bits are set, for each number of them modulo 8: bytes of ones, one of some and
// bytes of zeros, of which a row begins where as many of ones are left as it has.
struct RowBegins {
  constexpr RowBegins() {
    for (int some = 0; some < 8; ++some) {
      for (std::uint32_t i = 0; i < kRowBytes; ++i) bytes[some][i] = 0xff;
      bytes[some][kRowBytes] = static_cast<std::uint8_t>((1U << some) - 1);
    }
  }

  const std::uint8_t* of(std::uint32_t bits) const {
    return &bytes[bits % 8][kRowBytes - bits / 8];
  }

  std::uint8_t bytes[8][2 * kRowBytes + 1] = {};
};
constexpr RowBegins kRowBegins;

// From any byte on.
HWY_INLINE Words load_words(const void* from) {
#if HWY_TARGET == HWY_SCALAR
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return hn::Set(kWords, word);
#else
  constexpr hn::Repartition<std::uint8_t, decltype(kWords)> kOfWords{};
  return hn::BitCast(kWords, hn::LoadU(kOfWords, static_cast<const std::uint8_t*>(from)));
#endif
}

// What of a window is in the row from neighbour `first` on, where some of it is. Bytes before the
// window may be read, and up to `end`.
HWY_INLINE Words row_of(const StarRecord::Window& window, std::uint32_t first,
                        const std::byte* end) {
  const auto before = static_cast<std::int32_t>(window.thirds.begin - first);
  const std::byte* from = window.bits - (before >> 3);
  std::byte copy[kRowBytes + 1];
  if (end - from < static_cast<std::ptrdiff_t>(kRowBytes)) {
    std::fill(std::begin(copy), std::end(copy), std::byte{0});
    std::copy(from - 1, end, copy);
    from = copy + 1;
  }
  const int shift = before & 7;
  const Words bits = hn::Or(hn::ShiftLeftSame(load_words(from), shift),
                            hn::ShiftRightSame(load_words(from - 1), 8 - shift));
  const auto begin = static_cast<std::uint32_t>(std::max(before, 0));
  const std::uint32_t behind = std::min(window.thirds.end - first, kRowBits);
  return hn::And(bits,
                 hn::AndNot(load_words(kRowBegins.of(begin)), load_words(kRowBegins.of(behind))));
}

// How often each neighbour of a row is a third corner: some windows' rows at a time become digits
// of one bit each, rows too, which are added to bytes and these, before they could overflow, to
// words.
class RowCounts {
 public:
  // Adds to `as_second` what windows have, by their second corners, and to `as_third`, which has
  // room for all of the row.
  HWY_INLINE void add(const StarRecord& record, std::uint32_t first, const std::byte* end,
                      std::uint32_t* as_second, std::uint32_t* as_third) {
    std::uint32_t held = 0;
    std::uint32_t flushes = 0;
    std::fill(std::begin(few_), std::end(few_), 0);
    for (auto window = record.first(); !record.is_end(window); window = record.next(window)) {
      if (window.thirds.end <= first || window.thirds.begin >= first + kRowBits) continue;
      seconds_[held] = window.second;
      hn::Store(row_of(window, first, end), kWords, rows_[held]);
      if (++held < kMost) continue;
      flush(held, as_second);
      held = 0;
      if (++flushes < kMostFlushes) continue;
      flush_few(as_third);
      flushes = 0;
    }
    for (std::uint32_t i = held; i < kMost; ++i) hn::Store(hn::Zero(kWords), kWords, rows_[i]);
    flush(held, as_second);
    flush_few(as_third);
  }

 private:
  static constexpr HWY_CAPPED(std::uint8_t, 64) kBytes{};
  static constexpr std::uint32_t kRowWords = kRowBits / 64;
  static constexpr std::uint32_t kDigits = 4;
  static constexpr std::uint32_t kMost = (1U << kDigits) - 1;  // Rows.
  static constexpr std::uint32_t kMostFlushes = 255 / kMost - 1;

  struct Sum {
    Words low;
    Words high;
  };
  HWY_INLINE static Sum sum_of(Words a, Words b, Words c) {
    const Words either = hn::Xor(a, b);
    return {hn::Xor(either, c), hn::Or(hn::And(a, b), hn::And(either, c))};
  }
  HWY_INLINE Words row(std::uint32_t i) const { return hn::Load(kWords, rows_[i]); }

  HWY_INLINE void flush(std::uint32_t held, std::uint32_t* as_second) {
    for (std::uint32_t i = 0; i < held; ++i) {
      std::uint64_t count = 0;
#pragma GCC unroll 8
      for (std::uint32_t word = 0; word < kRowWords; ++word) {
        count += static_cast<std::uint64_t>(__builtin_popcountll(rows_[i][word]));
      }
      as_second[seconds_[i]] += static_cast<std::uint32_t>(count);
    }
    const Sum a = sum_of(row(0), row(1), row(2));
    const Sum b = sum_of(row(3), row(4), row(5));
    const Sum c = sum_of(row(6), row(7), row(8));
    const Sum d = sum_of(row(9), row(10), row(11));
    const Sum e = sum_of(row(12), row(13), row(14));
    const Sum ab = sum_of(a.low, b.low, c.low);
    const Sum ones = sum_of(ab.low, d.low, e.low);
    const Sum twos_a = sum_of(a.high, b.high, c.high);
    const Sum twos_b = sum_of(d.high, e.high, ab.high);
    const Sum twos = sum_of(twos_a.low, twos_b.low, ones.high);
    const Sum fours = sum_of(twos_a.high, twos_b.high, twos.high);
    HWY_ALIGN std::uint64_t digits[kDigits][kRowWords];
    hn::Store(ones.low, kWords, digits[0]);
    hn::Store(twos.low, kWords, digits[1]);
    hn::Store(fours.low, kWords, digits[2]);
    hn::Store(fours.high, kWords, digits[3]);
    for (std::uint32_t i = 0; i < kRowBits; i += hn::Lanes(kBytes)) {
      auto sum = hn::Load(kBytes, few_ + i);
#pragma GCC unroll 4
      for (std::uint32_t digit = 0; digit < kDigits; ++digit) {
        const std::uint64_t bits = digits[digit][i / 64] >> i % 64;
        const auto mask = hn::LoadMaskBits(kBytes, reinterpret_cast<const std::uint8_t*>(&bits));
        const auto value = hn::Set(kBytes, static_cast<std::uint8_t>(1U << digit));
        sum = hn::Add(sum, hn::IfThenElseZero(mask, value));
      }
      hn::Store(sum, kBytes, few_ + i);
    }
  }

  HWY_INLINE void flush_few(std::uint32_t* counts) {
    constexpr HWY_CAPPED(std::uint32_t, 16) kCounts{};
    constexpr hn::Rebind<std::uint8_t, decltype(kCounts)> kFew{};
    for (std::uint32_t k = 0; k < kRowBits; k += hn::Lanes(kCounts)) {
      const auto few = hn::PromoteTo(kCounts, hn::LoadU(kFew, few_ + k));
      hn::StoreU(hn::Add(hn::LoadU(kCounts, counts + k), few), kCounts, counts + k);
    }
    std::fill(std::begin(few_), std::end(few_), 0);
  }

  HWY_ALIGN std::uint64_t rows_[kMost][kRowWords];
  HWY_ALIGN std::uint8_t few_[kRowBits];
  std::uint32_t seconds_[kMost];
};

std::uint64_t count_all(const StarChunk& chunk, std::size_t first, std::size_t end,
                        std::span<std::uint64_t> stars_of) {
  RowCounts counts;
  std::vector<std::uint32_t> as_second;  // Of a record's neighbours.
  std::vector<std::uint32_t> as_third;
  const std::byte* const behind = chunk.bytes().data() + chunk.bytes().size();
  std::uint64_t all = 0;
  for (std::size_t i = first; i < end; ++i) {
    const StarRecord record = chunk.record(i);
    const std::uint32_t neighbours = record.neighbours();
    as_second.assign(neighbours, 0);
    as_third.assign(neighbours + kRowBits, 0);
    for (std::uint32_t row = 0; row < neighbours; row += kRowBits) {
      counts.add(record, row, behind, as_second.data(), as_third.data() + row);
    }
    std::uint64_t of_corner = 0;
    for (std::uint32_t k = 0; k < neighbours; ++k) {
      of_corner += as_second[k];
      stars_of[record.id(k)] += as_second[k] + as_third[k];
    }
    stars_of[record.corner()] += of_corner;
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
