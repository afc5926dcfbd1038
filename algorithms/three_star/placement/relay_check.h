// SPDX-License-Identifier: Apache-2.0

// Whether sensors and relays are connected, found from their places alone.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_CHECK_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_CHECK_H_

#include <millrace/algorithms/three_star/placement/relay_position.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <stop_token>

namespace millrace::three_star {

// How far a relay hears: a billionth further than the radius, and where coordinates are large at
// least what they are rounded by.
inline double relay_reach(std::int32_t radius) {
  return std::max(radius * (1 + 1e-9), radius + 0x1p-20);
}

// Into how many parts they fall, none of which hears another: two sensors hear each other at a
// distance of at most `radius`, exactly, a relay and another node at relay_reach. Soon after `stop`
// is requested it returns a number that is too large, or right.
std::uint64_t count_components(std::span<const Position> sensors, std::span<const Position> relays,
                               std::int32_t radius, const std::stop_token& stop = {});

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_CHECK_H_
