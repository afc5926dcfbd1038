// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/limits/relay_route.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <queue>
#include <tuple>
#include <utility>

namespace millrace::three_star {
namespace {

constexpr double kCellsInReach = 6;
constexpr std::size_t kMostPositions = std::size_t{1} << 21;
constexpr std::uint32_t kNoStep = std::numeric_limits<std::uint32_t>::max();

double distance(const Position& a, const Position& b) { return std::sqrt(squared_distance(a, b)); }

std::uint64_t key_of(std::int64_t column, std::int64_t row) {
  return (static_cast<std::uint64_t>(column) << 32) ^ static_cast<std::uint32_t>(row);
}

// Returns allowed positions within reach of an end.
std::vector<Position> near(const RouteEnd& end, const ForbiddenArea& area) {
  std::vector<Position> some;
  const auto add = [&](const Position& position) {
    if (!area.contains(position)) some.push_back(position);
  };
  add(end.position);
  for (const double fraction : {0.999, 0.6, 0.2}) {
    for (int i = 0; i < 16; ++i) {
      const double angle = i * std::numbers::pi / 8;
      add({end.position.x + fraction * end.reach * std::cos(angle),
           end.position.y + fraction * end.reach * std::sin(angle)});
    }
  }
  return some;
}

// A position of the search, in the order in which they are found.
struct Step {
  Position position;
  std::uint32_t last = kNoStep;  // The step before.
  std::uint64_t relays = 1;      // Up to this one.
};

}  // namespace

std::uint64_t fewest_relays(double distance, double reach_a, double reach_b, double relay_reach) {
  const double between = distance - reach_a - reach_b;
  return between <= 0 ? 1 : 1 + static_cast<std::uint64_t>(std::ceil(between / relay_reach));
}

RelayRoute::RelayRoute(const ForbiddenArea& area, double reach)
    : area_(area), reach_(reach), side_(reach / kCellsInReach) {}

std::optional<std::vector<Position>> RelayRoute::straight(const RouteEnd& a,
                                                          const RouteEnd& b) const {
  const double length = distance(a.position, b.position);
  const auto at = [&](double fraction) -> Position {
    return {a.position.x + fraction * (b.position.x - a.position.x),
            a.position.y + fraction * (b.position.y - a.position.y)};
  };
  const std::uint64_t fewest = fewest_relays(length, a.reach, b.reach, reach_);
  const double capacity = a.reach + static_cast<double>(fewest - 1) * reach_ + b.reach;
  std::vector<Position> relays;
  for (std::uint64_t i = 0; i < fewest; ++i) {
    relays.push_back(at((a.reach + static_cast<double>(i) * reach_) / capacity));
  }
  const auto is_forbidden = [&](const Position& relay) { return area_.contains(relay); };
  if (std::ranges::none_of(relays, is_forbidden)) return relays;
  relays.clear();
  constexpr int kSteps = 256;
  double last = 0;
  double hop = a.reach;
  while (relays.empty() || length - last > b.reach) {
    const double furthest = std::min(last + hop, length);
    double next = last;
    for (int i = 0; i < kSteps; ++i) {
      const double tried = furthest - i * (furthest - last) / kSteps;
      if (is_forbidden(at(length > 0 ? tried / length : 0))) continue;
      next = tried;
      break;
    }
    if (next == last) return {};
    relays.push_back(at(next / length));
    last = next;
    hop = reach_;
  }
  return relays;
}

bool RelayRoute::is_allowed(std::int64_t column, std::int64_t row) {
  const auto [found, is_new] = allowed_.try_emplace(key_of(column, row), false);
  if (is_new) {
    found->second =
        !area_.contains({static_cast<double>(column) * side_, static_cast<double>(row) * side_});
  }
  return found->second;
}

std::optional<std::vector<Position>> RelayRoute::around(const RouteEnd& a, const RouteEnd& b,
                                                        const std::stop_token& stop) {
  for (std::size_t most = kMostPositions >> 8; most <= kMostPositions; most <<= 4) {
    Search from_a = search(a, b, most, stop);
    if (!from_a.relays.empty()) return std::move(from_a.relays);
    if (from_a.is_over) return {};
    Search from_b = search(b, a, most, stop);
    if (from_b.is_over) return {};
    if (from_b.relays.empty()) continue;
    std::reverse(from_b.relays.begin(), from_b.relays.end());
    return std::move(from_b.relays);
  }
  return {};
}

RelayRoute::Search RelayRoute::search(const RouteEnd& a, const RouteEnd& b,
                                      std::size_t most_positions, const std::stop_token& stop) {
  std::vector<Step> steps;
  std::unordered_map<std::uint64_t, std::uint32_t> cells;
  const std::vector<Position> last_ones = near(b, area_);
  // The least number of relays in all first, then the shortest rest.
  using Entry = std::tuple<std::uint64_t, double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto add = [&](const Position& position, std::uint32_t last, std::uint64_t relays) {
    const double rest = distance(position, b.position);
    const double beyond = std::max(0.0, rest - b.reach);
    const auto index = static_cast<std::uint32_t>(steps.size());
    steps.push_back({position, last, relays});
    open.emplace(relays + static_cast<std::uint64_t>(std::ceil(beyond / reach_)), rest, index);
  };
  const auto add_cells = [&](const Position& from, double reach, std::uint32_t last,
                             std::uint64_t relays) {
    const double squared = reach * reach;
    const auto first_row = static_cast<std::int64_t>(std::ceil((from.y - reach) / side_));
    const auto last_row = static_cast<std::int64_t>(std::floor((from.y + reach) / side_));
    const auto first_column = static_cast<std::int64_t>(std::ceil((from.x - reach) / side_));
    const auto last_column = static_cast<std::int64_t>(std::floor((from.x + reach) / side_));
    for (std::int64_t row = first_row; row <= last_row; ++row) {
      for (std::int64_t column = first_column; column <= last_column; ++column) {
        const Position position = {static_cast<double>(column) * side_,
                                   static_cast<double>(row) * side_};
        if (squared_distance(from, position) > squared || !is_allowed(column, row)) continue;
        const auto [found, is_new] =
            cells.try_emplace(key_of(column, row), static_cast<std::uint32_t>(steps.size()));
        if (!is_new && steps[found->second].relays <= relays) continue;
        found->second = static_cast<std::uint32_t>(steps.size());
        add(position, last, relays);
      }
    }
  };
  for (const Position& first : near(a, area_)) add(first, kNoStep, 1);
  add_cells(a.position, a.reach, kNoStep, 1);
  while (!open.empty() && steps.size() < most_positions) {
    if (stop.stop_requested()) {
      throw Error(ErrorCode::kCancelled, "the placement of relays was stopped by request");
    }
    const std::uint32_t index = std::get<2>(open.top());
    open.pop();
    const Step step = steps[index];
    if (squared_distance(step.position, b.position) <= b.reach * b.reach) {
      std::vector<Position> relays;
      for (std::uint32_t i = index; i != kNoStep; i = steps[i].last)
        relays.push_back(steps[i].position);
      std::reverse(relays.begin(), relays.end());
      return {.relays = std::move(relays)};
    }
    for (const Position& last : last_ones) {
      if (squared_distance(step.position, last) > reach_ * reach_) continue;
      add(last, index, step.relays + 1);
      break;
    }
    add_cells(step.position, reach_, index, step.relays + 1);
  }
  return {.is_over = open.empty()};
}

}  // namespace millrace::three_star
