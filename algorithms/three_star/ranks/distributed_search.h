// SPDX-License-Identifier: Apache-2.0

// The search for 3-stars over ranks: each gives its points and searches a strip of the plane.
//
//   DistributedQueue ranks{world_communicator(), *queue};
//   count_three_stars(ranks, my_points, {.radius = 50}).three_stars;   // Of all ranks' points.
//
// A rank searches for 3-stars whose first corner is in its strip (rank_strips.h): it lays strip and
// halo so that the halo begins with a row of cells, and gives the strip's places as corners.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_RANKS_DISTRIBUTED_SEARCH_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_RANKS_DISTRIBUTED_SEARCH_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/ranks/distributed_queue.h>

#include <cstdint>
#include <span>

namespace millrace::three_star {

struct DistributedSearchReport {
  std::uint64_t three_stars = 0;  // Of all ranks' points,
  std::uint64_t points = 0;       // which are so many.
  std::uint64_t my_three_stars = 0;
  std::uint64_t my_points = 0;   // Of this rank's strip,
  std::uint64_t my_halo = 0;     // and beside it.
  std::uint64_t bytes_sent = 0;  // Of points, by this rank to others.
  double seconds = 0;
  double search_seconds = 0;  // Of them, of this rank's search.
};

// Collective. As count_three_stars() of a Queue, of all ranks' points one rank's behind the
// other's, at most 2^32 - 1. Options, but for `stop`, are the same on all ranks. Throws on all
// ranks alike: what that throws on one, kInvalidArgument with the name of an argument that differs.
DistributedSearchReport count_three_stars(const DistributedQueue& ranks,
                                          std::span<const Point> points,
                                          const SearchOptions& options);

// The same, and hands each 3-star to the visitor of one rank, with places among all ranks' points.
DistributedSearchReport visit_three_stars(const DistributedQueue& ranks,
                                          std::span<const Point> points,
                                          const SearchOptions& options, const StarVisitor& visitor);

// The same, in chunks (star_chunk.h) of a grid of the rank's strip and halo, whose ids are places
// among all ranks' points: StarChunk::count_sensors() wants a number for each of those. Points
// there may be moved and have x and y exchanged, so chunks are good for their ids alone, and no
// star_file.h can have them.
DistributedSearchReport compress_three_stars(const DistributedQueue& ranks,
                                             std::span<const Point> points,
                                             const SearchOptions& options,
                                             const ChunkVisitor& visitor);

// As visit_three_stars(), but to the visitor of rank 0: those of other ranks come in parts of at
// most ranks.message_bytes, while they are found. Other ranks' visitors are not called.
DistributedSearchReport gather_three_stars(const DistributedQueue& ranks,
                                           std::span<const Point> points,
                                           const SearchOptions& options,
                                           const StarVisitor& visitor);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_RANKS_DISTRIBUTED_SEARCH_H_
