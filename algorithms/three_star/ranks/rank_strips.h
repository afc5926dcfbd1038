// SPDX-License-Identifier: Apache-2.0

// Distributes points over ranks: each has a strip of the plane and the points within reach above
// it.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_RANKS_RANK_STRIPS_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_RANKS_RANK_STRIPS_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/ranks/distributed_queue.h>

#include <cstdint>
#include <span>
#include <vector>

namespace millrace::three_star {

// Strip i of `edges` has the points in [edges[i], edges[i + 1]) along an axis. A 3-star belongs to
// the strip that has its first corner along the axis. Its corners are no further than two radii
// from each other, so all of them are in the strip or in its halo: points up to two radii behind
// its end.
struct RankStrips {
  bool is_along_x = false;  // False: along y.
  std::int64_t reach = 0;   // Two radii.
  // Inner edges are at least two reaches below the largest possible coordinate, or behind all
  // points.
  std::vector<std::int64_t> edges;

  std::int64_t along(const Point& point) const { return is_along_x ? point.x : point.y; }

  std::size_t strip_of(const Point& point) const;

  // Returns the lowest strip that has the point in its halo, or strip_of().
  std::size_t first_strip_of(const Point& point) const;
};

// Collective. Returns as many strips as ranks, along the longer side of all points, of about the
// same work by a sample of them. The same on all ranks.
RankStrips choose_rank_strips(Communicator& communicator, std::span<const Point> points,
                              std::int32_t radius);

// A strip's points, including those of its halo, in order of their ids.
struct RankPoints {
  std::vector<Point> points;
  std::vector<std::uint32_t> ids;  // Indices among all ranks' points.
  std::uint64_t bytes_sent = 0;
};

// Collective. Sends every rank the points of its strip.
RankPoints share_points(const DistributedQueue& ranks, const RankStrips& strips,
                        std::span<const Point> points, std::uint32_t first_id);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_RANKS_RANK_STRIPS_H_
