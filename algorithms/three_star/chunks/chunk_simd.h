// SPDX-License-Identifier: Apache-2.0

// Expands a chunk's 3-stars, in vectors.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_CHUNK_SIMD_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_CHUNK_SIMD_H_

#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/three_star.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::three_star {

// Implements StarChunk::visit for some records.
std::uint64_t visit_records(const StarChunk& chunk, std::size_t first, std::size_t end,
                            const StarVisitor& visitor);

// Implements StarChunk::visit_lowest.
void visit_records_of(const StarChunk& chunk, const IndexRange& lowest, const StarVisitor& visitor);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_CHUNK_SIMD_H_
