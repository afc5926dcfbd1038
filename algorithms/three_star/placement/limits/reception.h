// SPDX-License-Identifier: Apache-2.0

// Decides which nodes of a network receive each other.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_RECEPTION_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_RECEPTION_H_

#include <millrace/algorithms/three_star/placement/limits/placement_limits.h>
#include <millrace/algorithms/three_star/placement/position.h>
#include <millrace/algorithms/three_star/placement/spanning_tree.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace millrace::three_star {

// Nodes are sensors, then relays, by index. Immutable after construction.
class Reception {
 public:
  // The objects that `limits` refers to must outlive this one.
  Reception(std::size_t sensors, std::int32_t radius, const PlacementLimits& limits);

  // Returns the distance up to which relays are placed from a node: the smaller range of the two,
  // and half of what receives() allows for rounded positions.
  double relay_reach_of(std::uint32_t node) const;

  // Returns true if nodes at this distance receive each other.
  bool receives(std::uint32_t a, std::uint32_t b, double squared_distance) const;

  // Returns the edges of a forest whose trees are the components of all nodes. Tests the pairs
  // that are within the largest range. Soon after `stop` is requested it returns fewer edges.
  std::vector<TreeEdge> forest(std::span<const Position> nodes, const std::stop_token& stop) const;

 private:
  double range_of(std::uint32_t node) const;
  bool is_listed(std::uint32_t sensor) const { return !listed_.empty() && listed_[sensor]; }

  const std::size_t sensors_;
  const std::int32_t radius_;
  const std::span<const double> ranges_;
  std::vector<bool> listed_;          // Sensors that are in a listed pair.
  std::vector<std::uint64_t> pairs_;  // Listed pairs, smaller index first, sorted.
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PLACEMENT_LIMITS_RECEPTION_H_
