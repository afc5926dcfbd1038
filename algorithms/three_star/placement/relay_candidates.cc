// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/object_pool.h>
#include <millrace/algorithms/three_star/placement/position_grid.h>
#include <millrace/algorithms/three_star/placement/relay_candidates.h>
#include <millrace/algorithms/three_star/placement/relay_squares.h>
#include <millrace/algorithms/three_star/star_math.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace millrace::three_star {
namespace {

bool is_first(const RelayCandidate& a, const RelayCandidate& b) {
  return std::tie(a.circle.squared_radius, a.corners) <
         std::tie(b.circle.squared_radius, b.corners);
}

// Sensors, and the component of each.
struct SensorComponents {
  std::span<const Point> points;
  std::span<const std::uint32_t> components;

  bool are_of_three_components(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return components[a] != components[b] && components[a] != components[c] &&
           components[b] != components[c];
  }
};

// Keeps the first candidate of each three components. One thread at a time adds.
class BestCandidates {
 public:
  using Components = std::array<std::uint32_t, 3>;
  using Map = std::map<Components, RelayCandidate>;

  explicit BestCandidates(const SensorComponents& sensors) : sensors_(sensors) {}
  // A copy does not copy the last one's position.
  BestCandidates(const BestCandidates& other) : sensors_(other.sensors_), best_(other.best_) {}
  BestCandidates& operator=(const BestCandidates&) = delete;

  // Adds three sensors of different components, in any order.
  void add(std::array<std::uint32_t, 3> corners) {
    std::sort(corners.begin(), corners.end());
    const auto [a, b, c] = corners;
    const auto& points = sensors_.points;
    Components of = {sensors_.components[a], sensors_.components[b], sensors_.components[c]};
    std::sort(of.begin(), of.end());
    add(of, {{a, b, c}, smallest_circle(points[a], points[b], points[c])});
  }

  void add(const Components& of, const RelayCandidate& candidate) {
    // Candidates of the same three components mostly follow each other.
    if (last_ == nullptr || last_->first != of) last_ = &*best_.try_emplace(of, candidate).first;
    if (is_first(candidate, last_->second)) last_->second = candidate;
  }

  const Map& all() const { return best_; }

 private:
  SensorComponents sensors_;
  Map best_;
  Map::value_type* last_ = nullptr;
};

class RelaySearch {
 public:
  RelaySearch(const SensorComponents& sensors, std::int32_t radius, const CandidateOptions& options)
      : sensors_(sensors),
        radius_(radius),
        reach_(std::int64_t{4} * radius * radius),
        options_(options),
        best_(BestCandidates(sensors)) {}

  CandidateSearch run(Queue& queue) {
    CandidateSearch found;
    const std::vector<std::uint32_t> some = choose(found.is_thinned);
    check();
    found.three_stars = add_three_stars(queue, some);
    found.tested = add_obtuse(some);
    found.candidates = in_order();
    return found;
  }

 private:
  void check() const {
    if (options_.stop.stop_requested()) {
      throw Error(ErrorCode::kCancelled,
                  "the search for positions of relays was stopped by request");
    }
  }

  std::vector<Position> positions(std::span<const std::uint32_t> some) const {
    std::vector<Position> positions;
    positions.reserve(some.size());
    for (const std::uint32_t id : some) positions.push_back(position_of(sensors_.points[id]));
    return positions;
  }

  std::vector<std::uint32_t> components(std::span<const std::uint32_t> some) const {
    std::vector<std::uint32_t> components;
    components.reserve(some.size());
    for (const std::uint32_t id : some) components.push_back(sensors_.components[id]);
    return components;
  }

  static std::vector<std::uint32_t> pick(std::span<const std::uint32_t> some,
                                         std::vector<std::uint32_t> indices) {
    for (std::uint32_t& index : indices) index = some[index];
    return indices;
  }

  // Returns sensors to search with at most as many triples as the options allow.
  std::vector<std::uint32_t> choose(bool& is_thinned) const {
    std::vector<std::uint32_t> some = near_three_components();
    {
      const auto of = components(some);
      const RelaySquares squares(positions(some), of, radius_);
      some = pick(some, squares.between_three_components());
    }
    for (double divisor = 64; divisor >= 2 && are_too_many(some); divisor /= 2) {
      check();
      some = thinned(some, radius_ / divisor);
      is_thinned = true;
    }
    return some;
  }

  bool are_too_many(std::span<const std::uint32_t> some) const {
    constexpr double kOfAny =
        32;  // They are found faster than those of three components are tested.
    const auto of = components(some);
    const auto triples = RelaySquares(positions(some), of, radius_).most_triples();
    const auto most = static_cast<double>(options_.most_triples);
    return triples.of_three > most || triples.all > kOfAny * most;
  }

  // Returns sensors in cells that have three components around: a first choice, by large cells.
  std::vector<std::uint32_t> near_three_components() const {
    const PositionGrid grid(positions_of(sensors_.points), 2.0 * radius_);
    std::vector<std::uint32_t> some;
    for (const auto& cell : grid.cells()) {
      UpToThreeComponents around;
      grid.for_each_cell(cell.row, cell.column, 1, [&](const PositionGrid::Cell& other) {
        if (around.are_three()) return;
        for (const std::uint32_t id : grid.members(other)) around.add(sensors_.components[id]);
      });
      if (!around.are_three()) continue;
      const auto members = grid.members(cell);
      some.insert(some.end(), members.begin(), members.end());
    }
    std::sort(some.begin(), some.end());
    return some;
  }

  std::vector<std::uint32_t> thinned(std::span<const std::uint32_t> some, double side) const {
    const PositionGrid squares(positions(some), side);
    std::vector<std::uint32_t> kept;
    for (const auto& square : squares.cells()) kept.push_back(squares.members(square)[0]);
    kept = pick(some, std::move(kept));
    std::sort(kept.begin(), kept.end());
    return kept;
  }

  std::uint64_t add_three_stars(Queue& queue, std::span<const std::uint32_t> some) {
    std::vector<Point> points;
    points.reserve(some.size());
    for (const std::uint32_t id : some) points.push_back(sensors_.points[id]);
    const auto add = [&](std::span<const ThreeStar> stars) {
      check();
      const auto best = best_.borrow();
      for (const ThreeStar& star : stars) {
        const std::uint32_t a = some[star.a];
        const std::uint32_t b = some[star.b];
        const std::uint32_t c = some[star.c];
        if (sensors_.are_of_three_components(a, b, c)) best->add({a, b, c});
      }
    };
    try {
      return visit_three_stars(queue, points, {.radius = radius_, .stop = options_.stop}, add)
          .three_stars;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kCancelled) check();  // Throws this search's message.
      throw;
    }
  }

  // Adds triangles whose longest side is two radii at most, with the third corner in the circle
  // around that: also those that are 3-stars. Returns the number of triples tested.
  std::uint64_t add_obtuse(std::span<const std::uint32_t> some) {
    const auto of = components(some);
    const RelaySquares squares(positions(some), of, radius_);
    std::uint64_t tested = 0;
    const auto best = best_.borrow();
    std::vector<RelaySquares::Square> near;
    for (const auto& a : squares.squares()) {
      check();
      near.clear();
      squares.for_each_near(a, [&](const auto& other) {
        if (squares.component_of(other) != squares.component_of(a)) near.push_back(other);
      });
      for (const auto& b : near) {
        if (b.begin < a.begin) continue;
        for (const auto& c : near) {
          const bool may_be =
              squares.component_of(b) != squares.component_of(c) && may_be_between(a, b, c);
          if (!may_be) continue;
          tested += std::uint64_t{a.end - a.begin} * (b.end - b.begin) * (c.end - c.begin);
          add_between(some, squares.members(a), squares.members(b), squares.members(c), *best);
        }
      }
    }
    return tested;
  }

  // Returns true if a sensor of c may be in the circle around two of a and b.
  static bool may_be_between(const PositionGrid::Cell& a, const PositionGrid::Cell& b,
                             const PositionGrid::Cell& c) {
    const auto length = [](std::int64_t rows, std::int64_t columns) {
      return std::hypot(static_cast<double>(rows), static_cast<double>(columns));
    };
    constexpr double kHalfDiagonal = 0.7072;  // Distance of a sensor from the middle of its square.
    const double from_middle =
        length(2 * c.row - a.row - b.row, 2 * c.column - a.column - b.column) / 2;
    const double radius = length(a.row - b.row, a.column - b.column) / 2 + kHalfDiagonal;
    return from_middle <= std::min(radius, 2.0) + 2 * kHalfDiagonal;
  }

  void add_between(std::span<const std::uint32_t> some, std::span<const std::uint32_t> as,
                   std::span<const std::uint32_t> bs, std::span<const std::uint32_t> cs,
                   BestCandidates& best) const {
    for (const std::uint32_t a : as) {
      check();
      if (options_.on_sensor) options_.on_sensor();
      for (const std::uint32_t b : bs) {
        const Point& from = sensors_.points[some[a]];
        const Point& to = sensors_.points[some[b]];
        if (offset(from, to).squared() > reach_) continue;
        for (const std::uint32_t c : cs) {
          if (sees_at_right_angle(sensors_.points[some[c]], from, to)) {
            best.add({some[a], some[b], some[c]});
          }
        }
      }
    }
  }

  // Returns true if the angle at `from` is a right angle or larger.
  static bool sees_at_right_angle(const Point& from, const Point& a, const Point& b) {
    const Offset to_a = offset(from, a);
    const Offset to_b = offset(from, b);
    return to_a.x * to_b.x + to_a.y * to_b.y <= 0;
  }

  std::vector<RelayCandidate> in_order() const {
    BestCandidates best(sensors_);
    for (const auto& of_thread : best_.objects()) {
      for (const auto& [of, candidate] : of_thread->all()) best.add(of, candidate);
    }
    std::vector<RelayCandidate> candidates;
    candidates.reserve(best.all().size());
    for (const auto& [of, candidate] : best.all()) candidates.push_back(candidate);
    std::sort(candidates.begin(), candidates.end(), is_first);
    return candidates;
  }

  // A set of up to three components.
  class UpToThreeComponents {
   public:
    void add(std::uint32_t component) {
      if (!are_three() && std::find(seen_, seen_ + count_, component) == seen_ + count_) {
        seen_[count_++] = component;
      }
    }
    bool are_three() const { return count_ == 3; }

   private:
    std::uint32_t seen_[3] = {};
    int count_ = 0;
  };

  const SensorComponents sensors_;
  const std::int32_t radius_;
  const std::int64_t reach_;  // Two radii, squared.
  const CandidateOptions& options_;
  ObjectPool<BestCandidates> best_;
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
                                      std::int32_t radius, const CandidateOptions& options) {
  return RelaySearch({sensors, components}, radius, options).run(queue);
}

}  // namespace millrace::three_star
