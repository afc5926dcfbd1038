// SPDX-License-Identifier: Apache-2.0

// Searches for 3-stars over ranks: each rank gives its points and searches a strip of the plane.
//
//   DistributedQueue ranks{world_communicator(), *queue};
//   count_three_stars(ranks, my_points, {.radius = 50}).three_stars;   // Of all ranks' points.
//
// A rank searches for 3-stars whose first corner is in its strip (rank_strips.h): it lays out strip
// and halo so that the halo begins with a row of cells, and gives the strip's points as corners.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_RANKS_DISTRIBUTED_SEARCH_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_RANKS_DISTRIBUTED_SEARCH_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/ranks/distributed_queue.h>

#include <cstdint>
#include <span>

namespace millrace::three_star {

struct DistributedSearchReport {
  std::uint64_t three_stars = 0;  // 3-stars of all ranks' points.
  std::uint64_t points = 0;       // Points of all ranks.
  std::uint64_t my_three_stars = 0;
  std::uint64_t my_points = 0;   // Points of this rank's strip.
  std::uint64_t my_halo = 0;     // Points of its halo.
  std::uint64_t bytes_sent = 0;  // Bytes of points from this rank to others.
  double seconds = 0;
  double search_seconds = 0;  // This rank's search, which `seconds` includes.
};

// Collective. Counts like count_three_stars() of a Queue the 3-stars of all ranks' points, in order
// of ranks, at most 2^32 - 1. Options, but for `stop`, are the same on all ranks. Throws the same
// on all ranks: what that throws on one, or kInvalidArgument with the name of an argument that
// differs.
DistributedSearchReport count_three_stars(const DistributedQueue& ranks,
                                          std::span<const Point> points,
                                          const SearchOptions& options);

// Counts likewise, and passes each 3-star to the visitor of one rank, with indices among all ranks'
// points.
DistributedSearchReport visit_three_stars(const DistributedQueue& ranks,
                                          std::span<const Point> points,
                                          const SearchOptions& options, const StarVisitor& visitor);

// Visits likewise, in chunks (star_chunk.h) of a grid of the rank's strip and halo, whose ids are
// indices among all ranks' points: StarChunk::count_sensors() needs a number for each of those.
// Points there may be moved and have x and y exchanged, so only the ids of chunks are meaningful,
// and star_file.h cannot store them.
DistributedSearchReport compress_three_stars(const DistributedQueue& ranks,
                                             std::span<const Point> points,
                                             const SearchOptions& options,
                                             const ChunkVisitor& visitor);

// Visits like visit_three_stars(), but by the visitor of rank 0: 3-stars of other ranks arrive in
// messages of at most ranks.message_bytes, while they are found. Other ranks' visitors are not
// called.
DistributedSearchReport gather_three_stars(const DistributedQueue& ranks,
                                           std::span<const Point> points,
                                           const SearchOptions& options,
                                           const StarVisitor& visitor);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_RANKS_DISTRIBUTED_SEARCH_H_
