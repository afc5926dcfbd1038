// SPDX-License-Identifier: Apache-2.0

// Finds positions where one relay joins three components of nodes whose ranges differ.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_DISC_CANDIDATES_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_DISC_CANDIDATES_H_

#include <millrace/algorithms/three_star/placement/limits/forbidden_area.h>
#include <millrace/algorithms/three_star/placement/position.h>
#include <millrace/algorithms/three_star/point.h>

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace millrace::three_star {

// Positions within this distance of a point.
struct Disc {
  Point centre;
  double reach = 0;
};

struct DiscCandidate {
  std::array<std::uint32_t, 3> corners{};
  Position position;
  // The largest distance from a corner, as a fraction of its reach; at most 1.
  double reach_fraction = 0;
};

// Returns true, and sets position and reach_fraction, if one of these is in all three discs and
// outside the area: the centre of the smallest circle around the centres, the middle of the corners
// of the discs' intersection, and positions on the lines from there to them.
bool find_common_position(const std::array<Disc, 3>& discs, const ForbiddenArea& area,
                          DiscCandidate& candidate);

// Returns at most one candidate for each three components, the least reach_fraction first. Of three
// components those triples are tried that have a corner and the corner's nearest nodes of the other
// two; each corner considers the 24 nearest components. `components` has that of each disc; discs
// of kNoComponent are left out. Throws Error(kCancelled) soon after `stop` is requested.
inline constexpr std::uint32_t kNoComponent = 0xffffffff;

std::vector<DiscCandidate> find_disc_candidates(std::span<const Disc> discs,
                                                std::span<const std::uint32_t> components,
                                                const ForbiddenArea& area,
                                                const std::stop_token& stop);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_DISC_CANDIDATES_H_
