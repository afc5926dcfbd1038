// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/limits/disc_candidates.h>
#include <millrace/algorithms/three_star/placement/position_grid.h>
#include <millrace/algorithms/three_star/placement/relay_candidates.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace millrace::three_star {
namespace {

constexpr std::size_t kMostComponents = 24;

// Returns the largest distance from a centre, as a fraction of its reach.
double reach_fraction_of(const std::array<Disc, 3>& discs, const Position& position) {
  double most = 0;
  for (const Disc& disc : discs) {
    const double distance = std::sqrt(squared_distance(position_of(disc.centre), position));
    most = std::max(most, distance / disc.reach);
  }
  return most;
}

// Appends the two positions where the borders of discs cross.
void add_crossings(const Disc& a, const Disc& b, std::vector<Position>& some) {
  const Position from = position_of(a.centre);
  const Position to = position_of(b.centre);
  const double squared = squared_distance(from, to);
  if (squared == 0) return;
  const double along = (squared + a.reach * a.reach - b.reach * b.reach) / (2 * squared);
  const double rest = a.reach * a.reach / squared - along * along;
  if (rest < 0) return;
  const double beside = std::sqrt(rest);
  const double x = to.x - from.x;
  const double y = to.y - from.y;
  some.push_back({from.x + along * x - beside * y, from.y + along * y + beside * x});
  some.push_back({from.x + along * x + beside * y, from.y + along * y - beside * x});
}

// Returns the corners of the intersection of three discs, and centres that are in it.
std::vector<Position> common_corners(const std::array<Disc, 3>& discs) {
  std::vector<Position> some;
  for (const Disc& disc : discs) some.push_back(position_of(disc.centre));
  add_crossings(discs[0], discs[1], some);
  add_crossings(discs[0], discs[2], some);
  add_crossings(discs[1], discs[2], some);
  constexpr double kRounding = 1e-9;
  std::erase_if(
      some, [&](const Position& each) { return reach_fraction_of(discs, each) > 1 + kRounding; });
  return some;
}

struct ComponentNeighbour {
  std::uint32_t component = 0;
  double squared_distance = 0;
  std::uint32_t disc = 0;
};

class DiscSearch {
 public:
  DiscSearch(std::span<const Disc> discs, std::span<const std::uint32_t> components,
             const ForbiddenArea& area, const std::stop_token& stop)
      : discs_(discs), components_(components), area_(area), stop_(stop) {}

  std::vector<DiscCandidate> run() {
    double widest = 0;
    for (const Disc& disc : discs_) widest = std::max(widest, disc.reach);
    if (discs_.empty()) return {};
    std::vector<Position> centres;
    for (const Disc& disc : discs_) centres.push_back(position_of(disc.centre));
    const PositionGrid grid(centres, 2 * widest);
    for (std::uint32_t a = 0; a < discs_.size(); ++a) {
      if (stop_.stop_requested()) {
        throw Error(ErrorCode::kCancelled,
                    "the search for positions of relays was stopped by request");
      }
      if (components_[a] == kNoComponent) continue;
      const std::vector<ComponentNeighbour> near = neighbours(grid, centres, a);
      for (std::size_t i = 0; i < near.size(); ++i) {
        for (std::size_t j = i + 1; j < near.size(); ++j) add({a, near[i].disc, near[j].disc});
      }
    }
    std::vector<DiscCandidate> candidates;
    for (const auto& [of, candidate] : best_) candidates.push_back(candidate);
    std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
      return std::tie(a.reach_fraction, a.corners) < std::tie(b.reach_fraction, b.corners);
    });
    return candidates;
  }

 private:
  bool may_join(std::uint32_t a, std::uint32_t b, double squared) const {
    const double reach = discs_[a].reach + discs_[b].reach;
    return squared <= reach * reach;
  }

  // Returns the nearest disc of each other component, of the nearest components.
  std::vector<ComponentNeighbour> neighbours(const PositionGrid& grid,
                                             std::span<const Position> centres, std::uint32_t a) {
    nearest_.clear();
    grid.for_each_near(centres[a], 1, [&](std::uint32_t b) {
      const std::uint32_t component = components_[b];
      if (component == kNoComponent || component == components_[a]) return;
      const double squared = squared_distance(centres[a], centres[b]);
      if (!may_join(a, b, squared)) return;
      const auto [found, is_new] = nearest_.try_emplace(component, component, squared, b);
      if (!is_new && squared < found->second.squared_distance) {
        found->second = {component, squared, b};
      }
    });
    std::vector<ComponentNeighbour> near;
    for (const auto& [component, neighbour] : nearest_) near.push_back(neighbour);
    std::sort(near.begin(), near.end(),
              [](const ComponentNeighbour& x, const ComponentNeighbour& y) {
                return std::tie(x.squared_distance, x.disc) < std::tie(y.squared_distance, y.disc);
              });
    near.resize(std::min(near.size(), kMostComponents));
    return near;
  }

  void add(std::array<std::uint32_t, 3> corners) {
    const auto& [a, b, c] = corners;
    if (!may_join(b, c,
                  squared_distance(position_of(discs_[b].centre), position_of(discs_[c].centre)))) {
      return;
    }
    std::sort(corners.begin(), corners.end());
    DiscCandidate candidate{corners, {}, 0};
    if (!find_common_position({discs_[a], discs_[b], discs_[c]}, area_, candidate)) return;
    std::array<std::uint32_t, 3> of = {components_[a], components_[b], components_[c]};
    std::sort(of.begin(), of.end());
    const auto [found, is_new] = best_.try_emplace(of, candidate);
    if (!is_new && candidate.reach_fraction < found->second.reach_fraction) {
      found->second = candidate;
    }
  }

  const std::span<const Disc> discs_;
  const std::span<const std::uint32_t> components_;
  const ForbiddenArea& area_;
  const std::stop_token& stop_;
  std::map<std::uint32_t, ComponentNeighbour> nearest_;
  std::map<std::array<std::uint32_t, 3>, DiscCandidate> best_;
};

}  // namespace

bool find_common_position(const std::array<Disc, 3>& discs, const ForbiddenArea& area,
                          DiscCandidate& candidate) {
  const auto is_good = [&](const Position& position) {
    candidate.position = position;
    candidate.reach_fraction = reach_fraction_of(discs, position);
    return candidate.reach_fraction <= 1 && !area.contains(position);
  };
  if (is_good(smallest_circle(discs[0].centre, discs[1].centre, discs[2].centre).centre)) {
    return true;
  }
  const std::vector<Position> corners = common_corners(discs);
  if (corners.empty()) return false;
  Position middle;
  for (const Position& corner : corners) {
    middle.x += corner.x / static_cast<double>(corners.size());
    middle.y += corner.y / static_cast<double>(corners.size());
  }
  if (is_good(middle)) return true;
  for (const double fraction : {0.5, 0.9, 0.999}) {
    for (const Position& corner : corners) {
      if (is_good({middle.x + fraction * (corner.x - middle.x),
                   middle.y + fraction * (corner.y - middle.y)})) {
        return true;
      }
    }
  }
  return false;
}

std::vector<DiscCandidate> find_disc_candidates(std::span<const Disc> discs,
                                                std::span<const std::uint32_t> components,
                                                const ForbiddenArea& area,
                                                const std::stop_token& stop) {
  return DiscSearch(discs, components, area, stop).run();
}

}  // namespace millrace::three_star
