// SPDX-License-Identifier: Apache-2.0

// 3-stars in compressed form, for transfers and files: about a third of a byte each where points
// are dense, 12 bytes expanded.
//
//   compress_three_stars(*queue, points, {.radius = 50}, [&](const StarChunk& chunk) {
//     for (const ThreeStar& star : chunk) ...
//   });
//
// A chunk is a ChunkHeader, records one after another, and their directory: offsets of 32 bits from
// the chunk's first byte. A record has a lowest corner's neighbours in order of direction
// (angle_windows.h) and, for some of them, the third corners among the neighbours of its window, a
// bit each:
//
//   RecordHeader
//   ids      a neighbour each: its index in CellGrid::neighbours(), those of `beside` first,
//            16 bits if there are at most 65,536 of them, otherwise 32
//   buckets  a neighbour each: the bucket of its direction, 8 bits; never less than the one before
//   bits     for neighbours begin to end - 1: those of its window, in whole bytes, lowest bit first
//
// each padded with zeros to a multiple of 4 bytes. All numbers are little-endian.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_STAR_CHUNK_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_STAR_CHUNK_H_

#include <millrace/algorithms/three_star/angle_windows.h>
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <span>

namespace millrace::three_star {

struct ChunkHeader {
  static constexpr std::uint32_t kMagic = 0x31575333;  // "3SW1".

  std::uint32_t magic = kMagic;
  std::uint32_t records = 0;
  std::uint64_t three_stars = 0;
  std::uint64_t bytes = 0;      // Size of the chunk.
  std::uint64_t directory = 0;  // Offset of the directory.
};

struct RecordHeader {
  std::uint32_t corner = 0;  // Index in the grid.
  std::uint32_t neighbours = 0;
  std::uint32_t begin = 0;  // The first neighbour that has bits.
  std::uint32_t end = 0;
};

// Returns the bytes after padding.
MILLRACE_FUNCTION constexpr std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

// Returns the bytes of an id in a neighbourhood of this many points.
MILLRACE_FUNCTION constexpr std::size_t id_bytes(std::size_t points) {
  return points <= 65536 ? 2 : 4;
}

// Returns the bytes of the bits of a window.
constexpr std::size_t bytes_of(const IndexRange& window) { return (window.size() + 7) / 8; }

// A checked record of a chunk: reads nothing outside of it. Windows are checked when they are
// reached.
class StarRecord {
 public:
  // A second corner, and its possible third corners.
  struct Window {
    std::uint32_t second = 0;  // Neighbours are named by their index in the record.
    IndexRange thirds;
    const std::byte* bits = nullptr;

    std::size_t bytes() const { return bytes_of(thirds); }
    // Returns the bits of the neighbours thirds.begin + first and the next 63, as far as they are
    // in the window.
    std::uint64_t word(std::uint32_t first) const;
  };

  // Throws kInvalidArgument unless `bytes` begin with a record for this grid.
  StarRecord(const CellGrid& grid, std::span<const std::byte> bytes);

  std::uint32_t corner() const { return grid_->ids()[header_.corner]; }  // The point's id.
  std::uint32_t neighbours() const { return header_.neighbours; }
  std::uint32_t id(std::uint32_t neighbour) const;
  // Returns the neighbour's index in near().
  std::uint32_t local_id(std::uint32_t neighbour) const;

  const CellGrid& grid() const { return *grid_; }
  const CellGrid::Neighbours& near() const { return near_; }  // Neighbourhood of the corner.
  const std::byte* end() const { return end_; }               // The end of its bytes.

  // Return the window of the first second corner, and of the next one, until is_end(). Throw
  // kInvalidArgument if its bits are behind the record's end.
  Window first() const;
  Window next(const Window& window) const;
  bool is_end(const Window& window) const { return window.second == header_.end; }

 private:
  [[noreturn]] static void reject_window();

  Window window_at(std::uint32_t second, const std::byte* bits) const;

  const CellGrid* grid_;
  RecordHeader header_;
  CellGrid::Neighbours near_;
  const std::byte* ids_ = nullptr;
  const std::uint8_t* buckets_ = nullptr;
  const std::byte* bits_ = nullptr;
  const std::byte* end_ = nullptr;
  std::uint32_t begins_[kBuckets + 1];  // First neighbour of each bucket, and their number.
};

// Inline, because all work on records consists of these.
inline std::uint32_t StarRecord::local_id(std::uint32_t neighbour) const {
  const auto load = []<class T>(T value, const std::byte* from) {
    std::memcpy(&value, from, sizeof value);
    return std::uint32_t{value};
  };
  return id_bytes(near_.size()) == 2 ? load(std::uint16_t{}, ids_ + std::size_t{2} * neighbour)
                                     : load(std::uint32_t{}, ids_ + std::size_t{4} * neighbour);
}

inline std::uint32_t StarRecord::id(std::uint32_t neighbour) const {
  return grid_->ids()[near_.grid_index(local_id(neighbour))];
}

inline std::uint64_t StarRecord::Window::word(std::uint32_t first) const {
  const auto load = []<class T>(T, const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return std::uint64_t{value};
  };
  const std::byte* const from = bits + first / 8;
  const std::size_t left = bytes() - first / 8;
  std::uint64_t word = 0;
  if (left >= 8) {
    word = load(std::uint64_t{}, from);
  } else if (left >= 4) {  // Two overlapping words, or three.
    const std::size_t second = left - 4;
    word = load(std::uint32_t{}, from) | load(std::uint32_t{}, from + second) << 8 * second;
  } else if (left > 0) {
    for (const std::size_t i : {std::size_t{0}, left / 2, left - 1}) {
      word |= load(std::uint8_t{}, from + i) << 8 * i;
    }
  }
  const std::uint32_t thirds_left = thirds.size() - first;
  return thirds_left < 64 ? word & ((std::uint64_t{1} << thirds_left) - 1) : word;
}

inline StarRecord::Window StarRecord::window_at(std::uint32_t second, const std::byte* bits) const {
  Window window = {second, {}, bits};
  if (is_end(window)) return window;
  const int bucket = buckets_[second];
  window.thirds = {begins_[kAngleWindows.first[bucket]], begins_[kAngleWindows.end[bucket]]};
  if (window.bytes() > static_cast<std::size_t>(end_ - bits)) reject_window();
  return window;
}

inline StarRecord::Window StarRecord::first() const { return window_at(header_.begin, bits_); }

inline StarRecord::Window StarRecord::next(const Window& window) const {
  return window_at(window.second + 1, window.bits + window.bytes());
}

// A view of a chunk, and its grid.
class StarChunk {
 public:
  // Iterates over a chunk's 3-stars, in its order. Throws what record() throws.
  class Iterator {
   public:
    using value_type = ThreeStar;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(const StarChunk& chunk);

    ThreeStar operator*() const;
    Iterator& operator++();
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& iterator, std::default_sentinel_t /*end*/) {
      return iterator.record_ == nullptr;
    }

   private:
    void find_bit();

    const StarChunk* chunk_ = nullptr;
    std::size_t next_ = 0;                      // Index of the next record.
    std::shared_ptr<const StarRecord> record_;  // Null at the end.
    StarRecord::Window window_;
    std::uint32_t first_bit_ = 0;  // Index of the word's first bit in the window.
    std::uint64_t word_ = 0;       // Bits of the word that are left.
  };

  // Throws kInvalidArgument unless the header and the directory are a chunk's.
  StarChunk(const CellGrid& grid, std::span<const std::byte> bytes);

  std::uint64_t three_stars() const { return header_.three_stars; }
  std::span<const std::byte> bytes() const { return bytes_; }

  std::size_t records() const { return header_.records; }
  // Throws kInvalidArgument if those bytes are not a record.
  StarRecord record(std::size_t index) const;

  // Passes all 3-stars to `visitor`, several at a time. Throws kInvalidArgument if their number
  // differs from the header's, and what record() throws.
  void visit(const StarVisitor& visitor) const;
  // Passes those of records [first, end) likewise. Returns their number.
  std::uint64_t visit(std::size_t first, std::size_t end, const StarVisitor& visitor) const;

  // Passes those whose lowest point, a, is in `lowest`, which is not empty. Does not check their
  // number.
  void visit_lowest(const IndexRange& lowest, const StarVisitor& visitor) const;

  // Adds to each point's number the number of 3-stars it is in; there are as many numbers as
  // points. Faster than visiting them. Throws as visit() does.
  void count_sensors(std::span<std::uint64_t> stars_of) const;
  // Counts some records, like visit().
  std::uint64_t count_sensors(std::size_t first, std::size_t end,
                              std::span<std::uint64_t> stars_of) const;

  Iterator begin() const { return Iterator(*this); }
  static std::default_sentinel_t end() { return {}; }

 private:
  std::uint32_t offset_of(std::size_t index) const;

  const CellGrid* grid_;
  std::span<const std::byte> bytes_;
  ChunkHeader header_;
};

// Calls work(first, end) for all of a chunk's records, several at a time, on the host's threads.
// Throws what `work` throws.
void for_all_records(const StarChunk& chunk,
                     const std::function<void(std::size_t first, std::size_t end)>& work);

// Returns the 3-star with its ids in order.
MILLRACE_FUNCTION constexpr ThreeStar star_of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t low = a < b ? a : b;
  const std::uint32_t high = a < b ? b : a;
  if (c < low) return {c, low, high};
  return c < high ? ThreeStar{low, c, high} : ThreeStar{low, high, c};
}

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_STAR_CHUNK_H_
