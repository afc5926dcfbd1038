// SPDX-License-Identifier: Apache-2.0

// Where one relay connects three sensors that nothing connects yet.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_CANDIDATES_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_CANDIDATES_H_

#include <millrace/algorithms/three_star/placement/relay_position.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/queue.h>

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace millrace::three_star {

// The smallest circle that holds three points: around the longest side where the triangle has no
// acute angle opposite of it, else through the corners.
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

  // Work that was done.
  std::uint64_t three_stars = 0;  // That were found, of any components.
  std::uint64_t tested = 0;       // Triples of three components that were tested for the others.
};

// Of three components; all that takes long grows with their number.
inline constexpr std::uint64_t kMostCandidateTriples = std::uint64_t{1} << 28;

struct CandidateOptions {
  std::uint64_t most_triples = kMostCandidateTriples;
  std::stop_token stop{};  // Ends the search, which then throws Error(kCancelled).
};

// Three sensors of three components whose smallest circle has a radius of at most `radius`:
// 3-stars, and obtuse triangles whose circumscribed circle is too large. Of the triples of the same
// three components the first in order is enough, because when it has got its relay, or cannot, no
// other is wanted: so memory grows with sensors, not with 3-stars.
//
// Only sensors that may have two other components within two radii are searched. Where these are so
// dense that there may be more than `most_triples` of three components within two radii of each
// other, or 32 times as many of any, all but one sensor of each square of a 64th of a radius are
// left out, of a 32nd, and so on up to half a radius, until there are not: then candidates may be
// missed whose circles are smaller by about such a square, and `is_thinned` says so. No more than
// six times as many triples are tested. At the last, each sensor has less than a hundred around it.
//
// `components` says of each sensor in which it is; sensors of different ones are more than `radius`
// apart. Throws what visit_three_stars throws.
CandidateSearch find_relay_candidates(Queue& queue, std::span<const Point> sensors,
                                      std::span<const std::uint32_t> components,
                                      std::int32_t radius, const CandidateOptions& options = {});

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_RELAY_CANDIDATES_H_
