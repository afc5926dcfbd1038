// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/sensor_counts.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/three_star/chunks/sensor_counts.cc"
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

// All vectors have 32 bytes: their loads seldom cross a line of the cache.
constexpr HWY_CAPPED(std::uint64_t, 4) kWords;
using Words = hn::Vec<decltype(kWords)>;

// Bytes of a row: the bits of a vector, a neighbour each.
constexpr std::uint32_t kRowBytes = 8 * hn::MaxLanes(kWords);
constexpr std::uint32_t kRowBits = 8 * kRowBytes;

// Rows whose first bits only are set: for each number of bits modulo 8, bytes of ones, one partial
// byte and bytes of zeros. A row begins where as many bytes of ones are left as it has.
class RowBegins {
 public:
  constexpr RowBegins() {
    for (std::uint32_t some = 0; some < 8; ++some) {
      std::uint8_t* const bytes = bytes_ + some * kStride;
      for (std::uint32_t i = 0; i < kRowBytes; ++i) bytes[i] = 0xff;
      bytes[kRowBytes] = static_cast<std::uint8_t>((1U << some) - 1);
    }
    for (std::uint32_t bits = 0; bits <= kRowBits; ++bits) {
      offsets_[bits] = static_cast<std::uint16_t>(bits % 8 * kStride + kRowBytes - bits / 8);
    }
  }

  const std::uint8_t* of(std::uint32_t bits) const { return bytes_ + offsets_[bits]; }

 private:
  static constexpr std::uint32_t kStride = 2 * kRowBytes + 1;

  std::uint8_t bytes_[8 * kStride] = {};
  std::uint16_t offsets_[kRowBits + 1] = {};
};
constexpr RowBegins kRowBegins;

// Loads from any byte on.
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

// Counts how often each of a record's neighbours is a second and a third corner. Several windows at
// a time become rows; rows become digits of one bit each, rows too, which are added to bytes, and
// these, before they could overflow, to words.
class NeighbourCounts {
 public:
  // Counts a record. `end` is the end of the readable bytes that contain the record's.
  void count(const StarRecord& record, const std::byte* end) {
    const std::uint32_t neighbours = record.neighbours();
    seconds_.assign(neighbours + kRows, 0);
    thirds_.assign(neighbours + kRowBits, 0);
    pending_.assign(neighbours + kRowBits, 0);
    const bool is_inside = end - record.end() >= std::ptrdiff_t{kRowBytes};
    std::uint32_t groups = 0;
    for (auto window = record.first(); !record.is_end(window);) {
      const std::uint32_t second = window.second;
      std::uint32_t held = 0;
      for (; held < kMost && !record.is_end(window); window = record.next(window)) {
        begins_[held] = window.thirds.begin;
        ends_[held] = window.thirds.end;
        bits_[held++] = window.bits;
      }
      // Buckets are in order, and so are windows' begins and ends.
      const std::uint32_t behind = ends_[held - 1];
      std::uint32_t first = begins_[0] / 8 * 8;
      const bool is_one_row = is_inside && behind - first <= kRowBits;
      for (; first < behind; first += kRowBits) {
        for (std::uint32_t i = 0; i < held; ++i) {
          const Words row = is_one_row ? row_of(i, first) : clipped_row_of(i, first, end);
          hn::StoreU(row, kWords, rows_[i]);
        }
        for (std::uint32_t i = held; i < kRows; ++i) hn::StoreU(hn::Zero(kWords), kWords, rows_[i]);
        count_seconds(&seconds_[second]);
        count_thirds(&pending_[first]);
      }
      if (++groups % kMostGroups == 0) flush_pending();
    }
    flush_pending();
  }

  std::uint32_t as_second(std::uint32_t neighbour) const { return seconds_[neighbour]; }
  std::uint32_t as_third(std::uint32_t neighbour) const { return thirds_[neighbour]; }

 private:
  static constexpr HWY_CAPPED(std::uint8_t, 32) kBytes{};
  static constexpr HWY_CAPPED(std::uint32_t, 8) kCounts{};
  static constexpr std::uint32_t kRowWords = kRowBits / 64;
  static constexpr std::uint32_t kDigits = 5;
  static constexpr std::uint32_t kRows = 1U << kDigits;
  static constexpr std::uint32_t kMost = kRows - 1;
  static constexpr std::uint32_t kMostGroups = 255 / kMost;
  // Whole vectors of bytes and of words are read and written.
  static_assert(kRowBits >= hn::MaxLanes(kBytes));

  // Returns a window as a row from neighbour `first` on. The row contains the window and may be
  // read as one.
  HWY_INLINE Words row_of(std::uint32_t window, std::uint32_t first) const {
    const std::uint32_t begin = begins_[window] - first;
    return row(bits_[window] - begin / 8, static_cast<int>(begin % 8), begin,
               ends_[window] - first);
  }

  // Returns row_of() for a window that may begin before the row or end behind it, and reads nothing
  // behind `end`.
  Words clipped_row_of(std::uint32_t window, std::uint32_t first, const std::byte* end) const {
    if (ends_[window] <= first || begins_[window] >= first + kRowBits) return hn::Zero(kWords);
    const auto before = static_cast<std::int32_t>(begins_[window] - first);
    const std::byte* from = bits_[window] - (before >> 3);
    std::byte copy[kRowBytes + 1];
    if (end - from < std::ptrdiff_t{kRowBytes}) {
      std::fill(std::begin(copy), std::end(copy), std::byte{0});
      std::copy(from - 1, end, copy);
      from = copy + 1;
    }
    return row(from, before & 7, static_cast<std::uint32_t>(std::max(before, 0)),
               std::min(ends_[window] - first, kRowBits));
  }

  // Returns bits [begin, behind) of those from byte `from` on, moved by `shift` bits. The byte
  // before is read too: it is the record's, whose ids are before all bits.
  HWY_INLINE static Words row(const std::byte* from, int shift, std::uint32_t begin,
                              std::uint32_t behind) {
    const Words bits = hn::Or(hn::ShiftLeftSame(load_words(from), shift),
                              hn::ShiftRightSame(load_words(from - 1), 8 - shift));
    const Words not_own = load_words(kRowBegins.of(begin));
    return hn::And(bits, hn::AndNot(not_own, load_words(kRowBegins.of(behind))));
  }

  struct Sum {
    Words low;
    Words high;
  };
  struct Digits {
    Words ones;
    Words twos;
    Words fours;
    Words eights;
  };

  HWY_INLINE static Sum sum_of(Words a, Words b, Words c) {
    const Words either = hn::Xor(a, b);
    return {hn::Xor(either, c), hn::Or(hn::And(a, b), hn::And(either, c))};
  }

  // Returns the digits of rows i to i + 14.
  HWY_INLINE Digits digits_of(std::uint32_t i) const {
    const auto row = [&](std::uint32_t k) { return hn::LoadU(kWords, rows_[i + k]); };
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
    return {ones.low, twos.low, fours.low, fours.high};
  }

  // Adds the number of set bits, at most 512, of four windows to a word each.
  HWY_INLINE void count_seconds(std::uint32_t* counts) const {
    std::uint64_t sums[kRows / 4];
    for (std::uint32_t i = 0; i < kRows; i += 4) {
      const auto bits = [&](std::uint32_t k) {
        return hn::PopulationCount(hn::LoadU(kWords, rows_[i + k]));
      };
      const Words even = hn::Or(bits(0), hn::ShiftLeft<32>(bits(2)));
      const Words odd = hn::Or(bits(1), hn::ShiftLeft<32>(bits(3)));
      sums[i / 4] = hn::GetLane(hn::SumOfLanes(kWords, hn::Or(even, hn::ShiftLeft<16>(odd))));
    }
    constexpr hn::Rebind<std::uint16_t, decltype(kCounts)> kSums{};
    for (std::uint32_t i = 0; i < kRows; i += hn::Lanes(kCounts)) {
      std::uint16_t own[hn::MaxLanes(kCounts)];
      std::memcpy(own, reinterpret_cast<const std::byte*>(sums) + i * sizeof *own, sizeof own);
      const auto more = hn::PromoteTo(kCounts, hn::LoadU(kSums, own));
      hn::StoreU(hn::Add(hn::LoadU(kCounts, counts + i), more), kCounts, counts + i);
    }
  }

  HWY_INLINE void count_thirds(std::uint8_t* pending) const {
    const Digits a = digits_of(0);
    const Digits b = digits_of(15);
    const Sum ones = sum_of(a.ones, b.ones, hn::LoadU(kWords, rows_[kMost - 1]));
    const Sum twos = sum_of(a.twos, b.twos, ones.high);
    const Sum fours = sum_of(a.fours, b.fours, twos.high);
    const Sum eights = sum_of(a.eights, b.eights, fours.high);
    std::uint64_t digits[kDigits][kRowWords];
    hn::StoreU(ones.low, kWords, digits[0]);
    hn::StoreU(twos.low, kWords, digits[1]);
    hn::StoreU(fours.low, kWords, digits[2]);
    hn::StoreU(eights.low, kWords, digits[3]);
    hn::StoreU(eights.high, kWords, digits[4]);
    for (std::uint32_t i = 0; i < kRowBits; i += hn::Lanes(kBytes)) {
      auto sum = hn::LoadU(kBytes, pending + i);
#pragma GCC unroll 5
      for (std::uint32_t digit = 0; digit < kDigits; ++digit) {
        const std::uint64_t bits = digits[digit][i / 64] >> i % 64;
        const auto mask = hn::LoadMaskBits(kBytes, reinterpret_cast<const std::uint8_t*>(&bits));
        const auto value = hn::Set(kBytes, static_cast<std::uint8_t>(1U << digit));
        sum = hn::IfThenElse(mask, hn::Add(sum, value), sum);
      }
      hn::StoreU(sum, kBytes, pending + i);
    }
  }

  void flush_pending() {
    constexpr hn::Rebind<std::uint8_t, decltype(kCounts)> kPending{};
    for (std::size_t k = 0; k + hn::Lanes(kCounts) <= pending_.size(); k += hn::Lanes(kCounts)) {
      const auto pending = hn::PromoteTo(kCounts, hn::LoadU(kPending, &pending_[k]));
      hn::StoreU(hn::Add(hn::LoadU(kCounts, &thirds_[k]), pending), kCounts, &thirds_[k]);
    }
    std::fill(pending_.begin(), pending_.end(), 0);
  }

  // Ranges of windows.
  std::uint32_t begins_[kMost];
  std::uint32_t ends_[kMost];
  const std::byte* bits_[kMost];
  std::uint64_t rows_[kRows][kRowWords];
  std::vector<std::uint32_t> seconds_;
  std::vector<std::uint32_t> thirds_;
  std::vector<std::uint8_t> pending_;  // Counts not yet added to thirds_.
};

// Counts of neighbours of one cell's corners, by their local ids: added to the sensors' numbers
// when another cell's arrive.
class CellCounts {
 public:
  explicit CellCounts(std::span<std::uint64_t> stars_of) : stars_of_(stars_of) {}

  // Adds a record. Returns the number of its 3-stars.
  HWY_INLINE std::uint64_t add(const StarRecord& record, const NeighbourCounts& neighbours) {
    if (grid_ == nullptr || !is_same(near_, record.near())) {
      flush();
      grid_ = &record.grid();
      near_ = record.near();
      counts_.assign(near_.size(), 0);
    }
    std::uint64_t all = 0;
    for (std::uint32_t k = 0; k < record.neighbours(); ++k) {
      all += neighbours.as_second(k);
      counts_[record.local_id(k)] += neighbours.as_second(k) + neighbours.as_third(k);
    }
    stars_of_[record.corner()] += all;
    return all;
  }

  void flush() {
    if (grid_ == nullptr) return;
    const std::uint64_t* count = counts_.data();
    for (const IndexRange& run : {near_.beside, near_.above}) {
      for (std::uint32_t i = run.begin; i < run.end; ++i) {
        stars_of_[grid_->ids()[i]] += *count++;
      }
    }
  }

 private:
  static bool is_same(const CellGrid::Neighbours& a, const CellGrid::Neighbours& b) {
    return a.beside.begin == b.beside.begin && a.beside.end == b.beside.end &&
           a.above.begin == b.above.begin && a.above.end == b.above.end;
  }

  const std::span<std::uint64_t> stars_of_;
  const CellGrid* grid_ = nullptr;
  CellGrid::Neighbours near_;
  std::vector<std::uint64_t> counts_;
};

std::uint64_t count_all(const StarChunk& chunk, std::size_t first, std::size_t end,
                        std::span<std::uint64_t> stars_of) {
  NeighbourCounts neighbours;
  CellCounts counts(stars_of);
  const std::byte* const behind = chunk.bytes().data() + chunk.bytes().size();
  std::uint64_t all = 0;
  for (std::size_t i = first; i < end; ++i) {
    const StarRecord record = chunk.record(i);
    neighbours.count(record, behind);
    all += counts.add(record, neighbours);
  }
  counts.flush();
  return all;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::three_star
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::three_star {

HWY_EXPORT(count_all);

std::uint64_t count_sensors_of_records(const StarChunk& chunk, std::size_t first, std::size_t end,
                                       std::span<std::uint64_t> stars_of) {
  return HWY_DYNAMIC_DISPATCH(count_all)(chunk, first, end, stars_of);
}

}  // namespace millrace::three_star
#endif  // HWY_ONCE
