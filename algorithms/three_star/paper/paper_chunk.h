// SPDX-License-Identifier: Apache-2.0

// Chunks of the paper's method, in which a device returns 3-stars to the host.
//
// A chunk is a PaperChunkHeader and then either ThreeStars, 12 bytes each, or the paper's
// compressed form, (CID, SID, LID): segments one after another, each a PaperSegment with its cell
// and segment ids and `count` 3-stars of three local ids, one byte each, padded with zeros to a
// multiple of 4 bytes. All numbers are little-endian.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_CHUNK_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_CHUNK_H_

#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/paper/paper_cells.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::three_star {

// Time of searchers, by their own clocks.
struct PaperTicks {
  std::uint64_t load = 0;    // Loads points into shared memory,
  std::uint64_t report = 0;  // writes chunks,
  std::uint64_t all = 0;     // and everything.
};

struct PaperChunkHeader {
  static constexpr std::uint32_t kMagic = 0x31435033;  // "3PC1".

  std::uint32_t magic = kMagic;
  std::uint32_t is_compressed = 0;
  std::uint32_t is_last = 0;  // 1 if nothing is left to search.
  std::uint32_t reserved = 0;
  std::uint64_t bytes = 0;  // Size of the chunk.
  std::uint64_t three_stars = 0;
  PaperTicks ticks{};
};

struct PaperSegment {
  std::uint32_t cell = 0;
  std::uint32_t combination_and_count = 0;  // Combination in the highest 4 bits.
  std::uint32_t segments[3] = {};           // Segments of the corners' ranges.

  MILLRACE_FUNCTION constexpr std::uint32_t combination() const {
    return combination_and_count >> 28;
  }
  MILLRACE_FUNCTION constexpr std::uint32_t count() const {
    return combination_and_count & 0x0fffffff;
  }
};

// Returns the bytes of this many 3-stars; in compressed form as one segment.
MILLRACE_FUNCTION constexpr std::uint64_t chunk_bytes(bool is_compressed, std::uint32_t count) {
  return is_compressed ? sizeof(PaperSegment) + (std::uint64_t{3} * count + 3) / 4 * 4
                       : std::uint64_t{sizeof(ThreeStar)} * count;
}

// The local ids of a 3-star in a word.
struct PackedStar {
  std::uint32_t word;

  static MILLRACE_FUNCTION constexpr PackedStar of(std::uint32_t first, std::uint32_t second,
                                                   std::uint32_t third) {
    return {first | second << 8 | third << 16};
  }
  MILLRACE_FUNCTION constexpr std::uint32_t first() const { return word & 255; }
  MILLRACE_FUNCTION constexpr std::uint32_t second() const { return word >> 8 & 255; }
  MILLRACE_FUNCTION constexpr std::uint32_t third() const { return word >> 16 & 255; }
};

// View of a searched grid, in memory of the host or of a device.
struct PaperView {
  const Point* points = nullptr;  // Sorted by cell.
  const std::uint32_t* ids = nullptr;
  const PaperCell* cells = nullptr;
  std::uint32_t cell_count = 0;
};

// Passes the 3-stars of a chunk to `visitor`, several at a time, from all host cores; `grid` is in
// host memory. Throws kInvalidArgument if the bytes are not a chunk of this grid, maybe after some
// of it has been visited, and what `visitor` throws; expanded ids are passed on unchecked. Returns
// the header.
PaperChunkHeader decode(const PaperView& grid, std::span<const std::byte> chunk,
                        const StarVisitor& visitor);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_CHUNK_H_
