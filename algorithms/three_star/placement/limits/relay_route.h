// SPDX-License-Identifier: Apache-2.0

// Places relays one behind the other between two nodes, outside a forbidden area.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_RELAY_ROUTE_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_RELAY_ROUTE_H_

#include <millrace/algorithms/three_star/placement/limits/forbidden_area.h>
#include <millrace/algorithms/three_star/placement/position.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <unordered_map>
#include <vector>

namespace millrace::three_star {

// An end of a route.
struct RouteEnd {
  Position position;
  double reach = 0;  // Largest distance from the relay next to it.
};

// Fewest relays, at least one, that join two ends at this distance if they may be anywhere.
std::uint64_t fewest_relays(double distance, double reach_a, double reach_b, double relay_reach);

// One thread at a time.
class RelayRoute {
 public:
  // The area must outlive this object. Relays receive each other at distances up to `reach`.
  RelayRoute(const ForbiddenArea& area, double reach);

  double reach() const { return reach_; }

  // Relays on the straight line, from `a` on: at distances in proportion to the reaches if that is
  // allowed, else each as far as is allowed, within a 256th of the reach. Empty if they cannot.
  std::optional<std::vector<Position>> straight(const RouteEnd& a, const RouteEnd& b) const;

  // Relays around the area: the fewest on a grid whose width is a sixth of the reach, and 48
  // positions around each end. Searches from both ends alternately, so that it ends soon if one is
  // enclosed. Empty if there is no way, or none among the 2^21 positions that are tried first.
  // Throws Error(kCancelled) soon after `stop` is requested.
  std::optional<std::vector<Position>> around(const RouteEnd& a, const RouteEnd& b,
                                              const std::stop_token& stop);

 private:
  // A search from one end. `is_over` if no position is left to try.
  struct Search {
    std::vector<Position> relays{};
    bool is_over = false;
  };
  Search search(const RouteEnd& a, const RouteEnd& b, std::size_t most_positions,
                const std::stop_token& stop);

  bool is_allowed(std::int64_t column, std::int64_t row);

  const ForbiddenArea& area_;
  const double reach_;
  const double side_;
  std::unordered_map<std::uint64_t, bool> allowed_;  // Cells of the grid that were tested.
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_RELAY_ROUTE_H_
