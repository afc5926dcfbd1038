// SPDX-License-Identifier: Apache-2.0

// Places relays so that all sensors are connected, and keeps the number of relays small.
//
// Sensors and relays communicate at distances of up to the radius R. To place the fewest relays is
// NP-hard; this is the 3-star algorithm of Cheng, Du, Wang and Xu, "Relay sensor placement in
// wireless sensor networks" (2008), as described in section II.C of Lee, Lo, Chen, Chung and Chung,
// "GPU Performance Enhancement via Communication Cost Reduction": a relay connects three components
// of the sensors wherever one can (relay_candidates.h), and the components that are left are
// connected along the Euclidean minimum spanning tree, by ceil(L / R) - 1 relays on an edge of
// length L. The tree alone is the result if that takes no more relays.
//
//   Placement placement = place_relays(*queue, sensors, 500);
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_PLACEMENT_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_PLACEMENT_H_

#include <millrace/algorithms/three_star/placement/position.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/queue.h>

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace millrace::three_star {

enum class PlacementMethod {
  kNothing,    // The sensors are connected, or fewer than two.
  kTree,       // The tree alone.
  kThreeStar,  // Relays of three components first: fewer than by the tree alone.
};

// Returns a sentence for users, without a full stop.
const char* describe(PlacementMethod method);

struct Relay {
  Position position;
  bool joins_three = false;  // False: it is on an edge of the tree.
};

// Two nodes within reach of each other. An index below the number of sensors is a sensor; an index
// i from that number on is relay i - number.
struct Link {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

struct Placement {
  PlacementMethod method = PlacementMethod::kNothing;
  std::vector<Relay> relays;  // Relays that join three come first.

  std::vector<Link> links;  // A tree of all sensors and relays.

  // Relays that existed and are in the tree, where their nodes are behind the new ones. Indices in
  // PlacementLimits::fixed (limits/placement_limits.h).
  std::vector<std::uint32_t> fixed;

  std::uint64_t components = 0;         // Components of the sensors without relays.
  std::uint64_t tree_relays = 0;        // Relays of the tree alone.
  std::uint64_t three_star_relays = 0;  // Relays of the 3-star algorithm, even if they are more.
  std::uint64_t candidates = 0;         // Positions that would connect three components.
  bool is_thinned = false;    // True if not all of these were searched: relay_candidates.h.
  bool is_connected = false;  // Computed from the positions of sensors and relays alone.
  double seconds = 0;
};

// Most relays that are placed.
inline constexpr std::uint64_t kMostRelays = 100'000'000;

// `sensors` are in host memory; several may have the same position. Every link is at most `radius`
// long, or relay_reach (relay_check.h) if it has a relay. Throws as count_three_stars does,
// kInvalidArgument if more than kMostRelays would be needed, and kCancelled soon after `stop` is
// requested; a triangulation of all sensors is finished first.
Placement place_relays(Queue& queue, std::span<const Point> sensors, std::int32_t radius,
                       const std::stop_token& stop = {});

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_PLACEMENT_H_
