// SPDX-License-Identifier: Apache-2.0

// Expands segments of the paper's compressed form in vectors.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_CHUNK_SIMD_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_CHUNK_SIMD_H_

#include <millrace/algorithms/three_star/point.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::three_star {

// Ids of a segment's points by local id, for each corner: at most 256 each.
struct PaperCorners {
  std::span<const std::uint32_t> ids[3];
};

// Returns true if all local ids, three a 3-star, are less than the number of their corner's points.
bool are_in_segments(const PaperCorners& corners, std::span<const std::byte> local);

// Writes a 3-star for three local ids each, which are in their segments.
void write_out(const PaperCorners& corners, std::span<const std::byte> local, ThreeStar* stars);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_CHUNK_SIMD_H_
