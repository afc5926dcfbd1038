// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/position_grid.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace millrace::three_star {

PositionGrid::PositionGrid(std::span<const Position> positions, double side) : side_(side) {
  struct Entry {
    std::int64_t row;
    std::int64_t column;
    std::uint32_t id;
  };
  std::vector<Entry> entries;
  entries.reserve(positions.size());
  for (std::uint32_t id = 0; id < positions.size(); ++id) {
    entries.push_back({step(positions[id].y), step(positions[id].x), id});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.row, a.column, a.id) < std::tie(b.row, b.column, b.id);
  });
  ids_.reserve(entries.size());
  for (const Entry& entry : entries) {
    const auto index = static_cast<std::uint32_t>(ids_.size());
    if (cells_.empty() || cells_.back().row != entry.row || cells_.back().column != entry.column) {
      cells_.push_back({entry.row, entry.column, index, index});
    }
    ids_.push_back(entry.id);
    cells_.back().end = index + 1;
  }
}

std::int64_t PositionGrid::step(double coordinate) const {
  return static_cast<std::int64_t>(std::floor(coordinate / side_));
}

std::size_t PositionGrid::first_from(std::int64_t row, std::int64_t column) const {
  const auto is_before = [&](const Cell& cell, std::int64_t) {
    return std::tie(cell.row, cell.column) < std::tie(row, column);
  };
  const auto found = std::lower_bound(cells_.begin(), cells_.end(), row, is_before);
  return static_cast<std::size_t>(found - cells_.begin());
}

}  // namespace millrace::three_star
