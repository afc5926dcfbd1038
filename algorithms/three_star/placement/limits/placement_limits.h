// SPDX-License-Identifier: Apache-2.0

// Conditions on the relays of a network.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_PLACEMENT_LIMITS_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_PLACEMENT_LIMITS_H_

#include <millrace/algorithms/three_star/placement/limits/forbidden_area.h>
#include <millrace/algorithms/three_star/placement/placement.h>
#include <millrace/algorithms/three_star/point.h>

#include <span>

namespace millrace::three_star {

// Spans belong to the caller and must outlive the call.
struct PlacementLimits {
  // Range of each sensor, greater than 0, in units of the grid; empty: all have the radius. Two
  // nodes receive each other at distances of up to the smaller range of both; relays have the
  // radius.
  std::span<const double> ranges{};

  // Positions of relays that exist already. They are used where that saves new ones.
  std::span<const Point> fixed{};

  // Pairs of sensors that receive each other, at any distance, if `has_listed_links`. Distance does
  // not decide between two sensors that are both in some of these pairs: of them, only those
  // listed as a pair receive each other.
  std::span<const Link> links{};
  bool has_listed_links = false;

  // New relays are outside; sensors, and relays that exist, may be inside.
  ForbiddenArea forbidden{};

  // Returns true if there is no condition.
  bool empty() const {
    return ranges.empty() && fixed.empty() && !has_listed_links && forbidden.empty();
  }
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_PLACEMENT_LIMITS_H_
