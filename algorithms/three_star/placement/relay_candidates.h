// SPDX-License-Identifier: Apache-2.0

// Finds positions where one relay connects three sensors that are not connected yet.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_CANDIDATES_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_CANDIDATES_H_

#include <millrace/algorithms/three_star/placement/position.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/queue.h>

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace millrace::three_star {

// The smallest circle that contains three points: around the longest side if the angle opposite is
// not acute, otherwise through the corners.
struct Circle {
  Position centre;
  double squared_radius = 0;
};

// Points no further than 2^30 units from each other, in any order.
Circle smallest_circle(const Point& a, const Point& b, const Point& c);

struct RelayCandidate {
  ThreeStar corners;
  Circle circle;
};

struct CandidateSearch {
  std::vector<RelayCandidate> candidates;  // The smallest circle first, then by corners.
  bool is_thinned = false;

  // Work of the search.
  std::uint64_t three_stars = 0;  // 3-stars found, of any components.
  std::uint64_t tested = 0;       // Triples of three components tested for obtuse triangles.
};

// Triples of three components; the time of the search grows with their number.
inline constexpr std::uint64_t kMostCandidateTriples = std::uint64_t{1} << 28;

struct CandidateOptions {
  std::uint64_t most_triples = kMostCandidateTriples;
  std::stop_token stop{};  // Stops the search, which then throws Error(kCancelled).

  // Called, unless empty, before the triples of a sensor with two squares of others are tested for
  // obtuse triangles.
  std::function<void()> on_sensor{};
};

// Finds three sensors of three components whose smallest circle has a radius of at most `radius`:
// 3-stars, and obtuse triangles whose circumscribed circle is too large. The first in order of the
// triples of the same three components is enough, because when it has got its relay, or cannot, no
// other is needed: so memory grows with sensors, not with 3-stars.
//
// Searches only sensors that may have two other components within two radii. Where these are so
// dense that there may be more than `most_triples` of three components within two radii of each
// other, or 32 times as many of any, it keeps one sensor of each square of a 64th of a radius, of a
// 32nd, and so on up to half a radius, until there are not: then candidates may be missed whose
// circles are smaller by about such a square, and `is_thinned` is set. At most six times as many
// triples are tested. In the last case, each sensor has less than a hundred around it.
//
// `components` has the component of each sensor; distances between sensors of different ones are
// more than `radius`. Throws what visit_three_stars throws.
CandidateSearch find_relay_candidates(Queue& queue, std::span<const Point> sensors,
                                      std::span<const std::uint32_t> components,
                                      std::int32_t radius, const CandidateOptions& options = {});

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_CANDIDATES_H_
