// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/limits/forbidden_area.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace millrace::three_star {
namespace {

constexpr std::size_t kMostRows = 1 << 16;

double squared_distance_to(const Position& from, const Position& to, const Position& position) {
  const double x = to.x - from.x;
  const double y = to.y - from.y;
  const double squared = x * x + y * y;
  const double along = (position.x - from.x) * x + (position.y - from.y) * y;
  const double fraction = squared > 0 ? std::clamp(along / squared, 0.0, 1.0) : 0;
  return squared_distance({from.x + fraction * x, from.y + fraction * y}, position);
}

}  // namespace

ForbiddenArea::ForbiddenArea(std::span<const AreaPolygon> polygons, double clearance)
    : clearance_(clearance),
      low_(std::numeric_limits<double>::infinity()),
      high_(-std::numeric_limits<double>::infinity()) {
  for (std::uint32_t polygon = 0; polygon < polygons.size(); ++polygon) {
    for (const Ring& ring : polygons[polygon].rings) {
      for (std::size_t i = 0; i < ring.size(); ++i) {
        edges_.push_back({ring[i], ring[(i + 1) % ring.size()], polygon});
        low_ = std::min(low_, ring[i].y - clearance);
        high_ = std::max(high_, ring[i].y + clearance);
      }
    }
  }
  if (edges_.empty()) return;
  const std::size_t rows = std::clamp<std::size_t>(edges_.size(), 1, kMostRows);
  row_height_ = std::max((high_ - low_) / static_cast<double>(rows), 1e-300);
  std::vector<std::size_t> next(rows + 1);
  const auto for_each_row = [&](const Edge& edge, const auto& visit) {
    const std::size_t end = row_of(std::max(edge.from.y, edge.to.y) + clearance_);
    for (std::size_t row = row_of(std::min(edge.from.y, edge.to.y) - clearance_); row <= end; ++row)
      visit(row);
  };
  row_starts_.assign(rows + 1, 0);
  for (const Edge& edge : edges_) {
    for_each_row(edge, [&](std::size_t row) { ++row_starts_[row + 1]; });
  }
  for (std::size_t row = 0; row < rows; ++row) row_starts_[row + 1] += row_starts_[row];
  next = row_starts_;
  row_edges_.resize(row_starts_.back());
  for (std::uint32_t i = 0; i < edges_.size(); ++i) {
    for_each_row(edges_[i], [&](std::size_t row) { row_edges_[next[row]++] = i; });
  }
}

std::size_t ForbiddenArea::row_of(double y) const {
  const double rows = static_cast<double>(row_starts_.size() - 1);
  return static_cast<std::size_t>(std::clamp(std::floor((y - low_) / row_height_), 0.0, rows - 1));
}

bool ForbiddenArea::contains(const Position& position) const {
  if (edges_.empty() || position.y < low_ || position.y > high_) return false;
  const std::size_t row = row_of(position.y);
  bool is_odd = false;
  std::uint32_t polygon = 0;
  for (std::size_t i = row_starts_[row]; i < row_starts_[row + 1]; ++i) {
    const Edge& edge = edges_[row_edges_[i]];
    if (edge.polygon != polygon) {
      if (is_odd) return true;
      polygon = edge.polygon;
    }
    if (squared_distance_to(edge.from, edge.to, position) <= clearance_ * clearance_) return true;
    if ((edge.from.y > position.y) == (edge.to.y > position.y)) continue;
    const double fraction = (position.y - edge.from.y) / (edge.to.y - edge.from.y);
    if (position.x < edge.from.x + fraction * (edge.to.x - edge.from.x)) is_odd = !is_odd;
  }
  return is_odd;
}

}  // namespace millrace::three_star
