// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/limits/reception.h>
#include <millrace/algorithms/three_star/placement/position_grid.h>

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <cmath>

namespace millrace::three_star {
namespace {

std::uint64_t pair_of(std::uint32_t a, std::uint32_t b) {
  return (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
}

// Rounds as relay_reach(), and takes any range.
double with_rounding(double range) { return std::max(range * (1 + 1e-9), range + 0x1p-20); }

}  // namespace

Reception::Reception(std::size_t sensors, std::int32_t radius, const PlacementLimits& limits)
    : sensors_(sensors), radius_(radius), ranges_(limits.ranges) {
  if (!limits.has_listed_links) return;
  listed_.assign(sensors, false);
  pairs_.reserve(limits.links.size());
  for (const Link& link : limits.links) {
    listed_[link.a] = true;
    listed_[link.b] = true;
    pairs_.push_back(pair_of(link.a, link.b));
  }
  std::sort(pairs_.begin(), pairs_.end());
}

double Reception::range_of(std::uint32_t node) const {
  return node < ranges_.size() ? ranges_[node] : radius_;
}

double Reception::relay_reach_of(std::uint32_t node) const {
  const double range = std::min<double>(range_of(node), radius_);
  return (range + with_rounding(range)) / 2;
}

bool Reception::receives(std::uint32_t a, std::uint32_t b, double squared_distance) const {
  const bool are_sensors = a < sensors_ && b < sensors_;
  if (are_sensors && is_listed(a) && is_listed(b)) {
    return std::binary_search(pairs_.begin(), pairs_.end(), pair_of(a, b));
  }
  const double range = std::min(range_of(a), range_of(b));
  const double reach = are_sensors ? range : with_rounding(range);
  return squared_distance <= reach * reach;
}

std::vector<TreeEdge> Reception::forest(std::span<const Position> nodes,
                                        const std::stop_token& stop) const {
  boost::disjoint_sets_with_storage<> sets(nodes.size());
  std::vector<TreeEdge> edges;
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    if (sets.find_set(a) == sets.find_set(b)) return;
    const double squared = squared_distance(nodes[a], nodes[b]);
    if (!receives(a, b, squared)) return;
    sets.union_set(a, b);
    edges.push_back({a, b, std::sqrt(squared)});
  };
  // Links of a planner may be longer than any range.
  for (const std::uint64_t pair : pairs_) {
    join(static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair));
  }
  double widest = radius_;
  for (const double range : ranges_) widest = std::max(widest, range);
  const PositionGrid grid(nodes, with_rounding(widest));
  for (std::uint32_t a = 0; a < nodes.size(); ++a) {
    if (stop.stop_requested()) return edges;
    grid.for_each_near(nodes[a], 1, [&](std::uint32_t b) {
      if (a < b) join(a, b);
    });
  }
  return edges;
}

}  // namespace millrace::three_star
