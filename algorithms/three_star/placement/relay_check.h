// SPDX-License-Identifier: Apache-2.0

// Checks that sensors and relays are connected, from their positions alone.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_CHECK_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_CHECK_H_

#include <millrace/algorithms/three_star/placement/position.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <stop_token>

namespace millrace::three_star {

// Returns the reach of a relay: a billionth more than the radius, and for large coordinates at
// least their rounding error.
inline double relay_reach(std::int32_t radius) {
  return std::max(radius * (1 + 1e-9), radius + 0x1p-20);
}

// Returns the number of components: two sensors are connected at a distance of at most `radius`,
// exactly, a relay and another node at relay_reach. Soon after `stop` is requested it returns a
// number that is too large, or right.
std::uint64_t count_components(std::span<const Position> sensors, std::span<const Position> relays,
                               std::int32_t radius, const std::stop_token& stop = {});

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_CHECK_H_
