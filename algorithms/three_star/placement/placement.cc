// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/placement.h>
#include <millrace/algorithms/three_star/placement/position_grid.h>
#include <millrace/algorithms/three_star/placement/relay_candidates.h>
#include <millrace/algorithms/three_star/placement/relay_check.h>
#include <millrace/algorithms/three_star/placement/spanning_tree.h>
#include <millrace/algorithms/three_star/search_arguments.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>

#include <boost/pending/disjoint_sets.hpp>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>

namespace millrace::three_star {
namespace {

using Sets = boost::disjoint_sets_with_storage<>;

void check(std::span<const Point> sensors, std::int32_t radius) {
  check_radius(radius);
  constexpr std::size_t kMostSensors = std::numeric_limits<std::uint32_t>::max() - kMostRelays;
  if (sensors.size() > kMostSensors) {
    reject("there are " + std::to_string(sensors.size()) +
           " sensors; relays are placed for at most " + std::to_string(kMostSensors));
  }
}

class Placer {
 public:
  Placer(std::span<const Point> sensors, std::int32_t radius, const std::stop_token& stop)
      : sensors_(sensors), radius_(radius), stop_(stop), nodes_(positions_of(sensors)) {}

  Placement place(Queue& queue) {
    const std::vector<TreeEdge> tree = spanning_tree(nodes_);
    check_stop();
    Sets sets(nodes_.size());
    Placement placement;
    placement.components = nodes_.size() - join(tree, sets);
    placement.tree_relays = relays_on(tree);
    placement.three_star_relays = placement.tree_relays;
    placement.method =
        placement.tree_relays == 0 ? PlacementMethod::kNothing : PlacementMethod::kTree;
    if (placement.components < 3) {
      steinerise(tree, placement);
    } else {
      place_three_stars(queue, tree, sets, placement);
    }
    std::vector<Position> relays;
    for (const Relay& relay : placement.relays) relays.push_back(relay.position);
    placement.is_connected =
        count_components(std::span(nodes_).first(sensors_.size()), relays, radius_, stop_) <= 1;
    check_stop();
    return placement;
  }

 private:
  void check_stop() const {
    if (stop_.stop_requested()) {
      throw Error(ErrorCode::kCancelled, "the placement of relays was stopped by request");
    }
  }

  std::uint64_t relays_on(const TreeEdge& edge) const {
    const bool has_relay = edge.a >= sensors_.size() || edge.b >= sensors_.size();
    const double reach = has_relay ? relay_reach(radius_) : radius_;
    return edge.length <= reach ? 0
                                : static_cast<std::uint64_t>(std::ceil(edge.length / reach)) - 1;
  }

  std::uint64_t relays_on(std::span<const TreeEdge> tree) const {
    std::uint64_t relays = 0;
    for (const TreeEdge& edge : tree) relays += relays_on(edge);
    return relays;
  }

  // Joins nodes within reach of each other. Returns the number of edges that are short enough.
  std::uint64_t join(std::span<const TreeEdge> tree, Sets& sets) const {
    std::uint64_t short_edges = 0;
    for (const TreeEdge& edge : tree) {
      if (relays_on(edge) > 0) continue;
      sets.union_set(edge.a, edge.b);
      ++short_edges;
    }
    return short_edges;
  }

  void place_three_stars(Queue& queue, std::span<const TreeEdge> tree, Sets& sets,
                         Placement& placement) {
    std::vector<std::uint32_t> components(nodes_.size());
    for (std::uint32_t i = 0; i < components.size(); ++i) components[i] = sets.find_set(i);
    const CandidateSearch found =
        find_relay_candidates(queue, sensors_, components, radius_, {.stop = stop_});
    placement.candidates = found.candidates.size();
    placement.is_thinned = found.is_thinned;
    std::vector<TreeEdge> edges(tree.begin(), tree.end());
    const std::vector<Relay> relays = choose(found.candidates, sets, edges);
    const std::vector<TreeEdge> joined = spanning_tree(nodes_, edges);
    check_stop();
    placement.three_star_relays = relays.size() + relays_on(joined);
    if (placement.three_star_relays < placement.tree_relays) {
      placement.method = PlacementMethod::kThreeStar;
      placement.relays = relays;
      steinerise(joined, placement);
    } else {
      nodes_.resize(sensors_.size());
      steinerise(tree, placement);
    }
  }

  // Returns relays of candidates that still join three components, and adds them to the nodes.
  // Their links go to `edges`.
  std::vector<Relay> choose(std::span<const RelayCandidate> candidates, Sets& sets,
                            std::vector<TreeEdge>& edges) {
    const PositionGrid grid(nodes_, radius_);
    const double reach = static_cast<double>(radius_) * radius_;
    std::vector<Relay> relays;
    for (const RelayCandidate& candidate : candidates) {
      check_stop();
      const ThreeStar& corners = candidate.corners;
      const Circle& circle = candidate.circle;
      const std::uint32_t a = sets.find_set(corners.a);
      const std::uint32_t b = sets.find_set(corners.b);
      const std::uint32_t c = sets.find_set(corners.c);
      if (a == b || a == c || b == c) continue;
      const auto relay = static_cast<std::uint32_t>(nodes_.size());
      for (const std::uint32_t corner : {corners.a, corners.b, corners.c}) {
        edges.push_back({relay, corner});
        sets.union_set(corner, corners.a);
      }
      grid.for_each_near(circle.centre, 1, [&](std::uint32_t other) {
        if (squared_distance(nodes_[other], circle.centre) <= reach) {
          sets.union_set(other, corners.a);
        }
      });
      nodes_.push_back(circle.centre);
      relays.push_back({circle.centre, true});
    }
    return relays;
  }

  // Puts relays on long edges, behind the earlier ones, and links nodes within reach of each other.
  void steinerise(std::span<const TreeEdge> tree, Placement& placement) const {
    const std::uint64_t all = placement.relays.size() + relays_on(tree);
    if (all > kMostRelays) {
      reject(std::to_string(all) + " relays are needed to connect the sensors at a radius of " +
             std::to_string(radius_) + "; at most " + std::to_string(kMostRelays) +
             " are placed, so give a larger radius");
    }
    for (const TreeEdge& edge : tree) {
      const std::uint64_t relays = relays_on(edge);
      const Position& from = nodes_[edge.a];
      const Position& to = nodes_[edge.b];
      std::uint32_t last = edge.a;
      for (std::uint64_t i = 1; i <= relays; ++i) {
        const double fraction = static_cast<double>(i) / static_cast<double>(relays + 1);
        const auto relay = static_cast<std::uint32_t>(sensors_.size() + placement.relays.size());
        placement.relays.push_back(
            {{from.x + fraction * (to.x - from.x), from.y + fraction * (to.y - from.y)}, false});
        placement.links.push_back({last, relay});
        last = relay;
      }
      placement.links.push_back({last, edge.b});
    }
  }

  const std::span<const Point> sensors_;
  const std::int32_t radius_;
  const std::stop_token& stop_;
  std::vector<Position> nodes_;  // Sensors, then relays of candidates.
};

}  // namespace

const char* describe(PlacementMethod method) {
  switch (method) {
    case PlacementMethod::kNothing: return "nothing to place: the sensors are connected";
    case PlacementMethod::kTree: return "relays along the minimum spanning tree alone";
    case PlacementMethod::kThreeStar:
      return "relays that join three components, then along the minimum spanning tree";
  }
  return "";
}

Placement place_relays(Queue& queue, std::span<const Point> sensors, std::int32_t radius,
                       const std::stop_token& stop) {
  check(sensors, radius);
  const auto start = std::chrono::steady_clock::now();
  Placement placement = Placer(sensors, radius, stop).place(queue);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  placement.seconds = taken.count();
  return placement;
}

}  // namespace millrace::three_star
