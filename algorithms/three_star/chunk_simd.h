// What is done with all 3-stars of a chunk, in vectors.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CHUNK_SIMD_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CHUNK_SIMD_H_

#include <millrace/algorithms/three_star/star_chunk.h>
#include <millrace/algorithms/three_star/three_star.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::three_star {

// StarChunk::visit, of some records.
std::uint64_t visit_records(const StarChunk& chunk, std::size_t first, std::size_t end,
                            const StarVisitor& visitor);

// StarChunk::visit_lowest.
void visit_records_of(const StarChunk& chunk, const PlaceRange& lowest, const StarVisitor& visitor);

// StarChunk::count_sensors, of some records.
std::uint64_t count_sensors_of_records(const StarChunk& chunk, std::size_t first, std::size_t end,
                                       std::span<std::uint64_t> stars_of);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNK_SIMD_H_
