// SPDX-License-Identifier: Apache-2.0

// Counts the 3-stars of a chunk that each sensor is in, from its bits, in vectors.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_SENSOR_COUNTS_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_SENSOR_COUNTS_H_

#include <millrace/algorithms/three_star/chunks/star_chunk.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::three_star {

// Implements StarChunk::count_sensors for some records.
std::uint64_t count_sensors_of_records(const StarChunk& chunk, std::size_t first, std::size_t end,
                                       std::span<std::uint64_t> stars_of);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_SENSOR_COUNTS_H_
