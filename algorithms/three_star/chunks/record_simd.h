// SPDX-License-Identifier: Apache-2.0

// Checks all of a record's neighbours together, in vectors (star_chunk.h).
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_RECORD_SIMD_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_RECORD_SIMD_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::three_star {

// Returns true if all of `count` ids, of 2 or 4 bytes each, are below `end`.
bool are_ids_below(const std::byte* ids, std::size_t id_bytes, std::size_t count,
                   std::uint32_t end);

// Sets `begins`, which has one element more than there are buckets, to the number of neighbours
// before each bucket. There are at most 2^32 neighbours. Returns true if the neighbours' buckets
// are in order; otherwise `begins` are some numbers up to that of neighbours.
bool find_bucket_begins(std::span<const std::uint8_t> buckets, std::span<std::uint32_t> begins);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_RECORD_SIMD_H_
