// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/geography/sphere_regions.h>

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace millrace::tools {
namespace {

// A cube of space as three whole numbers of 21 bits, none of which is the least or greatest, so
// that neighbours do not overflow.
using CellKey = std::uint64_t;

constexpr int kBits = 21;
constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;

CellKey key_of(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return x << 2 * kBits | y << kBits | z;
}

struct Cell {
  CellKey key = 0;
  std::size_t first = 0;  // Index of its first point in the order of cells.
  std::size_t end = 0;
};

class SphereSplitter {
 public:
  SphereSplitter(std::span<const Direction> points, double reach, double most_radius)
      : points_(points), reach_(reach), most_radius_(most_radius) {
    constexpr double kCells = kMask - 3;
    side_ = std::max(reach_, 2 / kCells);
    // A region is a core in a cube of so many cells a side, and its neighbours.
    constexpr double kHalfDiagonal =
        0.88;  // Half the diagonal of a cube, and a margin for the sphere's curvature.
    const double cells = (most_radius_ - reach_) / (kHalfDiagonal * side_);
    cells_per_core_ = cells < 1 ? 0 : static_cast<std::uint64_t>(std::min(cells, kCells));
  }

  std::optional<SphereRegions> split() {
    find_cells();
    join_cells();
    for (std::size_t begin = 0; begin < by_piece_.size();) {
      std::size_t end = begin + 1;
      while (end < by_piece_.size() && piece_of(end) == piece_of(begin)) ++end;
      if (!add_piece(std::span(by_piece_).subspan(begin, end - begin))) return {};
      begin = end;
    }
    return std::move(result_);
  }

 private:
  CellKey cell_of(const Direction& position) const {
    const auto index = [&](double coordinate) {
      return static_cast<std::uint64_t>((coordinate + 1) / side_) + 1;
    };
    return key_of(index(position.x), index(position.y), index(position.z));
  }

  void find_cells() {
    std::vector<std::pair<CellKey, std::uint32_t>> keys(points_.size());
    for (std::uint32_t i = 0; i < points_.size(); ++i) keys[i] = {cell_of(points_[i]), i};
    std::sort(keys.begin(), keys.end());
    order_.reserve(keys.size());
    for (const auto& [key, point] : keys) {
      if (cells_.empty() || cells_.back().key != key) cells_.push_back({key, order_.size(), 0});
      order_.push_back(point);
      cells_.back().end = order_.size();
    }
  }

  // Joins neighbouring cells to clusters: all points within reach are in one cluster.
  void join_cells() {
    boost::disjoint_sets_with_storage<> sets(cells_.size());
    for (std::size_t i = 0; i + 1 < cells_.size(); ++i) {
      if (cells_[i + 1].key == cells_[i].key + 1) sets.union_set(i, i + 1);
    }
    // In the columns beside a cell's own, neighbours come in the order of cells.
    for (const CellKey column :
         {key_of(0, 1, 0), key_of(1, 0, 0) - key_of(0, 1, 0), key_of(1, 0, 0), key_of(1, 1, 0)}) {
      std::size_t at = 0;
      for (std::size_t i = 0; i < cells_.size(); ++i) {
        const CellKey middle = cells_[i].key + column;
        while (at < cells_.size() && cells_[at].key < middle - 1) ++at;
        for (std::size_t j = at; j < cells_.size() && cells_[j].key <= middle + 1; ++j) {
          sets.union_set(i, j);
        }
      }
    }
    pieces_.resize(cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) pieces_[i] = sets.find_set(i);
    by_piece_.resize(cells_.size());
    std::iota(by_piece_.begin(), by_piece_.end(), std::size_t{0});
    std::stable_sort(by_piece_.begin(), by_piece_.end(),
                     [&](std::size_t a, std::size_t b) { return pieces_[a] < pieces_[b]; });
  }

  std::size_t piece_of(std::size_t i) const { return pieces_[by_piece_[i]]; }

  void add_members(const Cell& cell) {
    for (std::size_t i = cell.first; i < cell.end; ++i) result_.members.push_back(order_[i]);
  }

  std::span<const std::uint32_t> members_from(std::size_t first) const {
    return std::span(result_.members).subspan(first);
  }

  // Adds one region, or several if that would be too wide.
  bool add_piece(std::span<std::size_t> cells) {
    const std::size_t first = result_.members.size();
    for (const std::size_t cell : cells) add_members(cells_[cell]);
    const auto cap = cap_of(points_, members_from(first));
    if (cap && cap->radius <= most_radius_) {
      add_region(*cap, first, result_.members.size());
      return true;
    }
    result_.members.resize(first);
    if (cells_per_core_ == 0) return false;
    const auto cube = [&](std::size_t cell) { return cube_of(cells_[cell].key); };
    std::sort(cells.begin(), cells.end(),
              [&](std::size_t a, std::size_t b) { return cube(a) < cube(b); });
    for (std::size_t begin = 0; begin < cells.size();) {
      std::size_t end = begin + 1;
      while (end < cells.size() && cube(cells[end]) == cube(cells[begin])) ++end;
      if (!add_core(cells.subspan(begin, end - begin))) return false;
      begin = end;
    }
    return true;
  }

  // Returns the cube of cells that contains a core.
  CellKey cube_of(CellKey key) const {
    return key_of((key >> 2 * kBits) / cells_per_core_, (key >> kBits & kMask) / cells_per_core_,
                  (key & kMask) / cells_per_core_);
  }

  bool add_core(std::span<const std::size_t> cells) {
    const std::size_t first = result_.members.size();
    for (const std::size_t cell : cells) add_members(cells_[cell]);
    const std::size_t core_end = result_.members.size();
    auto cap = cap_of(points_, members_from(first));
    if (!cap || cap->radius + reach_ > most_radius_) return false;
    const double core_radius = cap->radius;
    for (const std::size_t neighbour : neighbours_of(cells)) {
      for (std::size_t i = cells_[neighbour].first; i < cells_[neighbour].end; ++i) {
        const double angle = angle_between(cap->centre, points_[order_[i]]);
        if (angle > core_radius + reach_) continue;
        cap->radius = std::max(cap->radius, angle);
        result_.members.push_back(order_[i]);
      }
    }
    add_region(*cap, first, core_end);
    return true;
  }

  // Returns the cells beside those of a core that are not in it, each once.
  std::vector<std::size_t> neighbours_of(std::span<const std::size_t> core) const {
    std::vector<std::size_t> neighbours;
    const CellKey own = cube_of(cells_[core.front()].key);
    for (const std::size_t cell : core) {
      const CellKey key = cells_[cell].key;
      for (int i = 0; i < 27; ++i) {
        const auto step = [](int position) { return static_cast<std::uint64_t>(position % 3 - 1); };
        const CellKey other = key + (step(i / 9) << 2 * kBits) + (step(i / 3) << kBits) + step(i);
        if (cube_of(other) == own) continue;
        const auto found =
            std::lower_bound(cells_.begin(), cells_.end(), other,
                             [](const Cell& each, CellKey wanted) { return each.key < wanted; });
        if (found == cells_.end() || found->key != other) continue;
        neighbours.push_back(static_cast<std::size_t>(found - cells_.begin()));
      }
    }
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    return neighbours;
  }

  void add_region(const SphereRegion& cap, std::size_t first, std::size_t core_end) {
    result_.regions.push_back({cap.centre, cap.radius, first, core_end, result_.members.size()});
  }

  const std::span<const Direction> points_;
  const double reach_;
  const double most_radius_;
  double side_ = 1;  // Side of a cell.
  std::uint64_t cells_per_core_ = 0;
  std::vector<std::uint32_t> order_;   // Points in the order of their cells.
  std::vector<Cell> cells_;            // Cells in the order of their keys.
  std::vector<std::size_t> pieces_;    // Piece of each cell.
  std::vector<std::size_t> by_piece_;  // Cells in the order of their pieces.
  SphereRegions result_;
};

}  // namespace

std::optional<SphereRegion> cap_of(std::span<const Direction> points,
                                   std::span<const std::uint32_t> members) {
  if (members.empty()) return {};
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Direction low = {kFar, kFar, kFar};
  Direction high = {-kFar, -kFar, -kFar};
  for (const std::uint32_t member : members) {
    const Direction& position = points[member];
    low = {std::min(low.x, position.x), std::min(low.y, position.y), std::min(low.z, position.z)};
    high = {std::max(high.x, position.x), std::max(high.y, position.y),
            std::max(high.z, position.z)};
  }
  const Direction sum = {low.x + high.x, low.y + high.y, low.z + high.z};
  const double length = std::sqrt(dot(sum, sum));
  if (length < 1e-3) return {};
  SphereRegion cap = {.centre = {sum.x / length, sum.y / length, sum.z / length}};
  for (const std::uint32_t member : members) {
    cap.radius = std::max(cap.radius, angle_between(cap.centre, points[member]));
  }
  return cap;
}

std::optional<SphereRegions> split_sphere(std::span<const Direction> points, double reach,
                                          double most_radius) {
  return SphereSplitter(points, reach, most_radius).split();
}

}  // namespace millrace::tools
