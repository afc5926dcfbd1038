// SPDX-License-Identifier: Apache-2.0

// Chunks of the paper's method: what a device hands to the host at a time.
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

// What searchers spent, by their own clocks.
struct PaperTicks {
  std::uint64_t load = 0;    // On bringing points close,
  std::uint64_t report = 0;  // on writing chunks,
  std::uint64_t all = 0;     // and on everything.
};

struct PaperChunkHeader {
  static constexpr std::uint32_t kMagic = 0x31435033;  // "3PC1".

  std::uint32_t magic = kMagic;
  std::uint32_t is_compressed = 0;
  std::uint32_t is_last = 0;  // Nothing is left to be searched.
  std::uint32_t reserved = 0;
  std::uint64_t bytes = 0;  // Of the whole chunk.
  std::uint64_t three_stars = 0;
  PaperTicks ticks{};
};

struct PaperSegment {
  std::uint32_t cell = 0;
  std::uint32_t combination_and_count = 0;  // The combination in the highest 4 bits.
  std::uint32_t segments[3] = {};           // Of the parts that the corners are in.

  MILLRACE_FUNCTION constexpr std::uint32_t combination() const {
    return combination_and_count >> 28;
  }
  MILLRACE_FUNCTION constexpr std::uint32_t count() const {
    return combination_and_count & 0x0fffffff;
  }
};

// Bytes of so many 3-stars, in compressed form as one segment.
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

// The grid as it is searched, in memory of the host or of a device.
struct PaperView {
  const Point* points = nullptr;  // In the order of places,
  const std::uint32_t* ids = nullptr;
  const PaperCell* cells = nullptr;
  std::uint32_t cell_count = 0;
};

// Hands the 3-stars of a chunk to `visitor`, some at a time, from all host cores; `grid` is in host
// memory. Throws kInvalidArgument where the bytes are no chunk of this grid's, maybe after some of
// it has been handed out, and what `visitor` throws; ids that are written out are handed on as they
// are. Returns the header.
PaperChunkHeader decode(const PaperView& grid, std::span<const std::byte> chunk,
                        const StarVisitor& visitor);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_CHUNK_H_
