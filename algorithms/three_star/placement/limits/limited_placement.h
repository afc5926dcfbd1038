// SPDX-License-Identifier: Apache-2.0

// Places relays under conditions.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_LIMITED_PLACEMENT_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_LIMITED_PLACEMENT_H_

#include <millrace/algorithms/three_star/placement/limits/placement_limits.h>
#include <millrace/algorithms/three_star/placement/placement.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/queue.h>

#include <cstdint>
#include <span>
#include <stop_token>

namespace millrace::three_star {

// Places relays as place_relays() of placement.h does, but for these:
//
// - Candidates are those of disc_candidates.h, whose corners may be relays that exist.
// - Instead of the minimum spanning tree there is a Steiner tree (steiner_tree.h) of edges that
//   cost the relays they take: those of the Delaunay triangulations of the sensors, and of all
//   nodes, and of nodes that receive each other. Relays that exist are used where they lie between.
// - Relays on an edge are on a straight line, or else around the area (relay_route.h).
//
// All of it runs on the host, and the queue is used only without any condition. Throws also
// kInvalidArgument if there are not as many ranges as sensors, a range is not greater than 0, a
// link is not of two sensors, or no relay outside the forbidden area can join a sensor to the
// others.
Placement place_relays(Queue& queue, std::span<const Point> sensors, std::int32_t radius,
                       const PlacementLimits& limits, const std::stop_token& stop = {});

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_LIMITED_PLACEMENT_H_
