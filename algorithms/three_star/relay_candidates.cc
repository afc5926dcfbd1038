#include <millrace/algorithms/three_star/relay_candidates.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <tuple>

#include <millrace/algorithms/three_star/relay_grid.h>
#include <millrace/algorithms/three_star/star_math.h>
#include <millrace/algorithms/three_star/three_star.h>

namespace millrace::three_star {
namespace {

bool is_first(const RelayCandidate& a, const RelayCandidate& b) {
  return std::tie(a.circle.squared_radius, a.corners) <
         std::tie(b.circle.squared_radius, b.corners);
}

// The first candidate of each three components. Any thread may add.
class BestCandidates {
 public:
  BestCandidates(std::span<const Point> sensors, std::span<const std::uint32_t> components)
      : sensors_(sensors), components_(components) {}

  bool are_apart(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return components_[a] != components_[b] && components_[a] != components_[c] &&
           components_[b] != components_[c];
  }

  // Three sensors of different components, in any order.
  void add(std::array<std::uint32_t, 3> sensors) {
    std::sort(sensors.begin(), sensors.end());
    const auto [a, b, c] = sensors;
    const RelayCandidate candidate = {{a, b, c},
                                      smallest_circle(sensors_[a], sensors_[b], sensors_[c])};
    std::array<std::uint32_t, 3> key = {components_[a], components_[b], components_[c]};
    std::sort(key.begin(), key.end());
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = best_.try_emplace(key, candidate);
    if (!is_new && is_first(candidate, place->second)) place->second = candidate;
  }

  std::vector<RelayCandidate> in_order() const {
    std::vector<RelayCandidate> candidates;
    candidates.reserve(best_.size());
    for (const auto& [key, candidate] : best_) candidates.push_back(candidate);
    std::sort(candidates.begin(), candidates.end(), is_first);
    return candidates;
  }

 private:
  const std::span<const Point> sensors_;
  const std::span<const std::uint32_t> components_;
  std::mutex mutex_;
  std::map<std::array<std::uint32_t, 3>, RelayCandidate> best_;
};

class Search {
 public:
  Search(std::span<const Point> sensors, std::span<const std::uint32_t> components,
         std::int32_t radius)
      : sensors_(sensors),
        components_(components),
        radius_(radius),
        reach_(std::int64_t{4} * radius * radius),
        best_(sensors, components) {}

  CandidateSearch run(Queue& queue) {
    CandidateSearch found;
    std::vector<std::uint32_t> some = near_three_components(found.is_thinned);
    if (found.is_thinned) thin(some);
    keep_those_between(some);
    found.three_stars = add_three_stars(queue, some);
    add_obtuse(some);
    found.candidates = best_.in_order();
    return found;
  }

 private:
  std::int64_t squared(std::uint32_t a, std::uint32_t b) const {
    return offset(sensors_[a], sensors_[b]).squared();
  }

  std::vector<Position> positions(std::span<const std::uint32_t> some) const {
    std::vector<Position> positions;
    positions.reserve(some.size());
    for (const std::uint32_t id : some) positions.push_back(position_of(sensors_[id]));
    return positions;
  }

  // Those in cells around which there are three components.
  std::vector<std::uint32_t> near_three_components(bool& is_dense) const {
    const PositionGrid grid(positions_of(sensors_), 2.0 * radius_);
    std::vector<std::uint32_t> some;
    std::uint64_t pairs = 0;
    for (const auto& cell : grid.cells()) {
      FewComponents around;
      std::uint64_t sensors_around = 0;
      grid.for_each_cell(cell.row, cell.column, 1, [&](const PositionGrid::Cell& other) {
        sensors_around += other.end - other.begin;
        if (around.are_three()) return;
        for (const std::uint32_t id : grid.members(other)) around.add(components_[id]);
      });
      if (!around.are_three()) continue;
      const auto members = grid.members(cell);
      some.insert(some.end(), members.begin(), members.end());
      pairs += members.size() * sensors_around;
    }
    is_dense = pairs > kMostCandidatePairs;
    std::sort(some.begin(), some.end());
    return some;
  }

  void thin(std::vector<std::uint32_t>& some) const {
    const PositionGrid squares(positions(some), radius_ / 8.0);
    std::vector<std::uint32_t> kept;
    for (const auto& square : squares.cells()) kept.push_back(some[squares.members(square)[0]]);
    std::sort(kept.begin(), kept.end());
    some = std::move(kept);
  }

  // Keeps sensors with two components beside their own within two radii.
  void keep_those_between(std::vector<std::uint32_t>& some) const {
    const auto places = positions(some);
    const PositionGrid grid(places, 2.0 * radius_);
    std::vector<std::uint32_t> kept;
    for (std::size_t i = 0; i < some.size(); ++i) {
      FewComponents around;
      around.add(components_[some[i]]);
      grid.for_each_near(places[i], 1, [&](std::uint32_t other) {
        const std::uint32_t component = components_[some[other]];
        if (around.is_new(component) && squared(some[i], some[other]) <= reach_) {
          around.add(component);
        }
      });
      if (around.are_three()) kept.push_back(some[i]);
    }
    some = std::move(kept);
  }

  std::uint64_t add_three_stars(Queue& queue, std::span<const std::uint32_t> some) {
    std::vector<Point> points;
    points.reserve(some.size());
    for (const std::uint32_t id : some) points.push_back(sensors_[id]);
    const auto add = [&](std::span<const ThreeStar> stars) {
      for (const ThreeStar& star : stars) {
        const std::uint32_t a = some[star.a];
        const std::uint32_t b = some[star.b];
        const std::uint32_t c = some[star.c];
        if (best_.are_apart(a, b, c)) best_.add({a, b, c});
      }
    };
    return visit_three_stars(queue, points, {.radius = radius_}, add).three_stars;
  }

  // Triangles whose longest side is two radii at most, with the third corner in the circle around
  // that: also those that are 3-stars.
  void add_obtuse(std::span<const std::uint32_t> some) {
    const auto places = positions(some);
    const PositionGrid grid(places, radius_);
    const auto add_between = [&](std::uint32_t a, std::uint32_t b) {
      const Position middle = {(places[a].x + places[b].x) / 2, (places[a].y + places[b].y) / 2};
      grid.for_each_near(middle, 1, [&](std::uint32_t c) {
        if (is_between(some[a], some[b], some[c])) best_.add({some[a], some[b], some[c]});
      });
    };
    for (std::uint32_t a = 0; a < some.size(); ++a) {
      grid.for_each_near(places[a], 2, [&](std::uint32_t b) {
        const bool is_side = b > a && components_[some[a]] != components_[some[b]] &&
                             squared(some[a], some[b]) <= reach_;
        if (is_side) add_between(a, b);
      });
    }
  }

  // Whether c is of a third component and sees a and b at a right angle or more.
  bool is_between(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    if (!best_.are_apart(a, b, c)) return false;
    const Offset to_a = offset(sensors_[c], sensors_[a]);
    const Offset to_b = offset(sensors_[c], sensors_[b]);
    return to_a.x * to_b.x + to_a.y * to_b.y <= 0;
  }

  // Up to three different ones.
  class FewComponents {
   public:
    bool is_new(std::uint32_t component) const {
      return count_ < 3 && std::find(seen_, seen_ + count_, component) == seen_ + count_;
    }
    void add(std::uint32_t component) {
      if (is_new(component)) seen_[count_++] = component;
    }
    bool are_three() const { return count_ == 3; }

   private:
    std::uint32_t seen_[3] = {};
    int count_ = 0;
  };

  const std::span<const Point> sensors_;
  const std::span<const std::uint32_t> components_;
  const std::int32_t radius_;
  const std::int64_t reach_;  // Two radii, squared.
  BestCandidates best_;
};

}  // namespace

Circle smallest_circle(const Point& a, const Point& b, const Point& c) {
  // p and q are the ends of the longest side.
  const auto around_side = [](const Point& p, const Point& q) -> Circle {
    const Offset side = offset(p, q);
    const auto x = static_cast<double>(side.x);
    const auto y = static_cast<double>(side.y);
    return {{p.x + x / 2, p.y + y / 2}, static_cast<double>(side.squared()) / 4};
  };
  const std::int64_t ab = offset(a, b).squared();
  const std::int64_t ac = offset(a, c).squared();
  const std::int64_t bc = offset(b, c).squared();
  if (ab >= ac + bc) return around_side(a, b);
  if (ac >= ab + bc) return around_side(a, c);
  if (bc >= ab + ac) return around_side(b, c);
  const Offset to_b = offset(a, b);
  const Offset to_c = offset(a, c);
  const double twice = 2 * static_cast<double>(cross(to_b, to_c));
  const auto b_squared = static_cast<double>(ab);
  const auto c_squared = static_cast<double>(ac);
  const double x =
      (static_cast<double>(to_c.y) * b_squared - static_cast<double>(to_b.y) * c_squared) / twice;
  const double y =
      (static_cast<double>(to_b.x) * c_squared - static_cast<double>(to_c.x) * b_squared) / twice;
  return {{a.x + x, a.y + y}, x * x + y * y};
}

CandidateSearch find_relay_candidates(Queue& queue, std::span<const Point> sensors,
                                      std::span<const std::uint32_t> components,
                                      std::int32_t radius) {
  return Search(sensors, components, radius).run(queue);
}

}  // namespace millrace::three_star
