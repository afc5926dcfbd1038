// Chunks of a part of all points, made chunks of all.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CHUNK_PLACES_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CHUNK_PLACES_H_

#include <millrace/algorithms/three_star/star_chunk.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace millrace::three_star {

// The chunk's bytes with all corners `by` places further on: neighbours are counted from their
// corner's, so nothing else of them says where in a grid they are. As many bytes as the chunk's,
// written by all of the host's threads. Throws as StarChunk does.
std::unique_ptr<std::byte[]> with_corners_moved(const StarChunk& chunk, std::uint32_t by);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNK_PLACES_H_
