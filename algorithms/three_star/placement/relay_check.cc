// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/position_grid.h>
#include <millrace/algorithms/three_star/placement/relay_check.h>

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace millrace::three_star {
namespace {

struct Box {
  Position low;
  Position high;

  Position nearest(const Position& to) const {
    return {std::clamp(to.x, low.x, high.x), std::clamp(to.y, low.y, high.y)};
  }
};

class Check {
 public:
  Check(std::span<const Position> sensors, std::span<const Position> relays, std::int32_t radius,
        const std::stop_token& stop)
      : sensors_(sensors.size()),
        exact_(static_cast<double>(radius) * radius),
        loose_(relay_reach(radius) * relay_reach(radius)),
        stop_(stop),
        nodes_(all(sensors, relays)),
        cells_(nodes_, radius * kCellSide),
        sets_(nodes_.size()) {}

  std::uint64_t components() {
    for (const auto& cell : cells_.cells()) {
      const auto members = cells_.members(cell);
      for (const std::uint32_t other : members) sets_.union_set(members[0], other);
    }
    for (const auto& cell : cells_.cells()) {
      cells_.for_each_cell(cell.row, cell.column, 2, [&](const PositionGrid::Cell& other) {
        if (cell.begin < other.begin) join(cells_.members(cell), cells_.members(other));
      });
    }
    std::uint64_t roots = 0;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) roots += sets_.find_set(i) == i ? 1 : 0;
    return roots;
  }

 private:
  static constexpr double kCellSide =
      0.7071;  // Radii: all nodes of a cell are within reach of each other.

  static std::vector<Position> all(std::span<const Position> sensors,
                                   std::span<const Position> relays) {
    std::vector<Position> nodes(sensors.begin(), sensors.end());
    nodes.insert(nodes.end(), relays.begin(), relays.end());
    return nodes;
  }

  bool are_in_reach(std::uint32_t a, std::uint32_t b) const {
    const bool is_exact = a < sensors_ && b < sensors_;
    return squared_distance(nodes_[a], nodes_[b]) <= (is_exact ? exact_ : loose_);
  }

  Box box_of(std::span<const std::uint32_t> some) const {
    Box box = {nodes_[some[0]], nodes_[some[0]]};
    for (const std::uint32_t i : some) {
      box.low = {std::min(box.low.x, nodes_[i].x), std::min(box.low.y, nodes_[i].y)};
      box.high = {std::max(box.high.x, nodes_[i].x), std::max(box.high.y, nodes_[i].y)};
    }
    return box;
  }

  void join(std::span<const std::uint32_t> some, std::span<const std::uint32_t> others) {
    if (sets_.find_set(some[0]) == sets_.find_set(others[0])) return;
    const Box box = box_of(others);
    for (const std::uint32_t a : some) {
      if (stop_.stop_requested()) return;
      if (squared_distance(nodes_[a], box.nearest(nodes_[a])) > loose_) continue;
      for (const std::uint32_t b : others) {
        if (!are_in_reach(a, b)) continue;
        sets_.union_set(a, b);
        return;
      }
    }
  }

  const std::size_t sensors_;
  const double exact_;
  const double loose_;
  const std::stop_token& stop_;
  const std::vector<Position> nodes_;
  const PositionGrid cells_;
  boost::disjoint_sets_with_storage<> sets_;
};

}  // namespace

std::uint64_t count_components(std::span<const Position> sensors, std::span<const Position> relays,
                               std::int32_t radius, const std::stop_token& stop) {
  return Check(sensors, relays, radius, stop).components();
}

}  // namespace millrace::three_star
