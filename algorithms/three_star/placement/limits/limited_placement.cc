// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/limits/disc_candidates.h>
#include <millrace/algorithms/three_star/placement/limits/limited_placement.h>
#include <millrace/algorithms/three_star/placement/limits/reception.h>
#include <millrace/algorithms/three_star/placement/limits/relay_route.h>
#include <millrace/algorithms/three_star/placement/limits/steiner_tree.h>
#include <millrace/algorithms/three_star/placement/position_grid.h>
#include <millrace/algorithms/three_star/placement/relay_check.h>
#include <millrace/algorithms/three_star/placement/spanning_tree.h>
#include <millrace/algorithms/three_star/search_arguments.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::three_star {
namespace {

using Sets = boost::disjoint_sets_with_storage<>;

// Edges of a tree of nodes, and the relays on each.
struct Network {
  std::vector<RouteEdge> edges;
  std::vector<std::vector<Position>> relays;  // Relays of each edge, from its node a on.

  std::uint64_t relays_on_edges() const {
    std::uint64_t sum = 0;
    for (const auto& some : relays) sum += some.size();
    return sum;
  }
};

void check(std::span<const Point> sensors, std::int32_t radius, const PlacementLimits& limits) {
  check_radius(radius);
  constexpr std::size_t kMostNodes = std::numeric_limits<std::uint32_t>::max() - kMostRelays;
  if (sensors.size() + limits.fixed.size() > kMostNodes) {
    reject("there are " + std::to_string(sensors.size()) + " sensors and " +
           std::to_string(limits.fixed.size()) + " relays; relays are placed for at most " +
           std::to_string(kMostNodes) + " together");
  }
  if (!limits.ranges.empty() && limits.ranges.size() != sensors.size()) {
    reject("there are " + std::to_string(limits.ranges.size()) + " ranges for " +
           std::to_string(sensors.size()) + " sensors; the numbers must match");
  }
  for (const double range : limits.ranges) {
    if (!(range > 0)) reject("a range is " + std::to_string(range) + "; it must be more than 0");
  }
  for (const Link& link : limits.links) {
    if (link.a < sensors.size() && link.b < sensors.size() && link.a != link.b) continue;
    reject("a link joins sensors " + std::to_string(link.a) + " and " + std::to_string(link.b) +
           "; it must be two of " + std::to_string(sensors.size()));
  }
}

class LimitedPlacer {
 public:
  LimitedPlacer(std::span<const Point> sensors, std::int32_t radius, const PlacementLimits& limits,
                const std::stop_token& stop)
      : sensors_(sensors),
        radius_(radius),
        limits_(limits),
        stop_(stop),
        reception_(sensors.size(), radius, limits),
        route_(limits.forbidden, (radius + relay_reach(radius)) / 2),
        points_(sensors.begin(), sensors.end()) {
    points_.insert(points_.end(), limits.fixed.begin(), limits.fixed.end());
    nodes_ = positions_of(points_);
  }

  Placement place() {
    Placement placement;
    Sets sets(std::max<std::size_t>(nodes_.size(), 1));
    for (const TreeEdge& edge : reception_.forest(nodes_, stop_)) sets.union_set(edge.a, edge.b);
    check_stop();
    const std::vector<std::uint32_t> components = components_of(sets, placement.components);
    sensor_edges_ = delaunay_edges(std::span(nodes_).first(sensors_.size()));
    Network network = connect();
    placement.tree_relays = network.relays_on_edges();
    placement.three_star_relays = placement.tree_relays;
    placement.method =
        placement.tree_relays == 0 ? PlacementMethod::kNothing : PlacementMethod::kTree;
    if (placement.components >= 3 && placement.tree_relays > 1) {
      const std::vector<Position> relays = choose(components, sets, placement.candidates);
      if (!relays.empty()) {
        Network joined = connect();
        placement.three_star_relays = joined.relays_on_edges() + used_among(joined, relays.size());
        if (placement.three_star_relays < placement.tree_relays) {
          placement.method = PlacementMethod::kThreeStar;
          network = std::move(joined);
        }
      }
    }
    write(network, placement);
    placement.is_connected = is_connected(placement);
    check_stop();
    return placement;
  }

 private:
  void check_stop() const {
    if (stop_.stop_requested()) {
      throw Error(ErrorCode::kCancelled, "the placement of relays was stopped by request");
    }
  }

  // Returns the component of each node; kNoComponent for relays that no sensor receives.
  std::vector<std::uint32_t> components_of(Sets& sets, std::uint64_t& with_sensors) const {
    std::vector<std::uint32_t> components(nodes_.size());
    std::vector<bool> has_sensor(nodes_.size());
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      components[i] = static_cast<std::uint32_t>(sets.find_set(i));
      if (i < sensors_.size()) has_sensor[components[i]] = true;
    }
    with_sensors =
        static_cast<std::uint64_t>(std::count(has_sensor.begin(), has_sensor.end(), true));
    for (std::uint32_t& component : components) {
      if (!has_sensor[component]) component = kNoComponent;
    }
    return components;
  }

  RouteEnd end_at(std::uint32_t node) const {
    return {nodes_[node], reception_.relay_reach_of(node)};
  }

  // Returns the edges that a tree may have, at the costs of routes that may be anywhere.
  std::vector<RouteEdge> possible_edges() const {
    std::vector<TreeEdge> some = delaunay_edges(nodes_);
    some.insert(some.end(), sensor_edges_.begin(), sensor_edges_.end());
    const std::vector<TreeEdge> received = reception_.forest(nodes_, stop_);
    some.insert(some.end(), received.begin(), received.end());
    std::vector<RouteEdge> edges;
    edges.reserve(some.size());
    for (const TreeEdge& edge : some) {
      const auto [a, b] = std::minmax(edge.a, edge.b);
      const bool are_received = reception_.receives(a, b, squared_distance(nodes_[a], nodes_[b]));
      const std::uint64_t relays =
          are_received ? 0
                       : fewest_relays(edge.length, reception_.relay_reach_of(a),
                                       reception_.relay_reach_of(b), route_.reach());
      edges.push_back({a, b, {relays, edge.length}});
    }
    const auto ends = [](const RouteEdge& edge) { return std::make_pair(edge.a, edge.b); };
    std::ranges::sort(edges, {}, ends);
    const auto same = std::ranges::unique(edges, {}, ends);
    edges.erase(same.begin(), same.end());
    return edges;
  }

  // Returns the tree of all sensors, and of other nodes where these lie between.
  Network connect() {
    std::vector<RouteEdge> edges = possible_edges();
    check_stop();
    std::vector<std::optional<std::vector<Position>>> routes(edges.size());
    for (;;) {
      const std::vector<std::size_t> tree = steiner_tree(nodes_.size(), sensors_.size(), edges);
      check_spans(edges, tree);
      check_count(edges, tree);
      bool is_final = true;
      for (const std::size_t i : tree) {
        check_stop();
        if (routes[i]) continue;
        routes[i] = route_on(edges[i]);
        const std::uint64_t relays = routes[i] ? routes[i]->size() : kMostRelays + 1;
        is_final = is_final && relays == edges[i].cost.relays;
        edges[i].cost.relays = relays;
      }
      if (!is_final) {
        drop_impossible(edges, routes);
        continue;
      }
      Network network;
      for (const std::size_t i : tree) {
        network.edges.push_back(edges[i]);
        network.relays.push_back(std::move(*routes[i]));
      }
      return network;
    }
  }

  static void drop_impossible(std::vector<RouteEdge>& edges,
                              std::vector<std::optional<std::vector<Position>>>& routes) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (edges[i].cost.relays > kMostRelays) continue;
      edges[kept] = edges[i];
      if (kept != i) routes[kept] = std::move(routes[i]);
      ++kept;
    }
    edges.resize(kept);
    routes.resize(kept);
  }

  std::optional<std::vector<Position>> route_on(const RouteEdge& edge) {
    if (edge.cost.relays == 0) return std::vector<Position>();
    const RouteEnd a = end_at(edge.a);
    const RouteEnd b = end_at(edge.b);
    if (auto straight = route_.straight(a, b)) return straight;
    return route_.around(a, b, stop_);
  }

  // Throws if there is a sensor that no edge joins to the others.
  void check_spans(std::span<const RouteEdge> edges, std::span<const std::size_t> tree) const {
    if (sensors_.empty()) return;
    Sets sets(nodes_.size());
    for (const std::size_t i : tree) sets.union_set(edges[i].a, edges[i].b);
    std::vector<std::size_t> sizes(nodes_.size());
    for (std::uint32_t i = 0; i < sensors_.size(); ++i) ++sizes[sets.find_set(i)];
    std::uint32_t isolated = 0;
    for (std::uint32_t i = 0; i < sensors_.size(); ++i) {
      if (sizes[sets.find_set(i)] < sizes[sets.find_set(isolated)]) isolated = i;
    }
    if (sizes[sets.find_set(isolated)] == sensors_.size()) return;
    reject("no relays outside the forbidden polygons join point " + std::to_string(isolated) +
           " (counted from 0) to the others; leave it out, or make the polygons smaller");
  }

  void check_count(std::span<const RouteEdge> edges, std::span<const std::size_t> tree) const {
    std::uint64_t relays = 0;
    for (const std::size_t i : tree) relays += std::min(edges[i].cost.relays, kMostRelays + 1);
    if (relays <= kMostRelays) return;
    reject(std::to_string(relays) + " relays are needed to connect the sensors at a radius of " +
           std::to_string(radius_) + "; at most " + std::to_string(kMostRelays) +
           " are placed, so give a larger radius");
  }

  // Adds relays that still join three components to the nodes. Returns their positions.
  std::vector<Position> choose(std::span<const std::uint32_t> components, Sets& sets,
                               std::uint64_t& candidates) {
    std::vector<Disc> discs;
    double widest = 0;
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
      discs.push_back({points_[i], reception_.relay_reach_of(i)});
      widest = std::max(widest, discs.back().reach);
    }
    const auto found = find_disc_candidates(discs, components, limits_.forbidden, stop_);
    candidates = found.size();
    const PositionGrid grid(nodes_, widest);
    std::vector<Position> relays;
    for (const DiscCandidate& candidate : found) {
      check_stop();
      const std::size_t a = sets.find_set(candidate.corners[0]);
      const std::size_t b = sets.find_set(candidate.corners[1]);
      const std::size_t c = sets.find_set(candidate.corners[2]);
      if (a == b || a == c || b == c) continue;
      grid.for_each_near(candidate.position, 1, [&](std::uint32_t other) {
        const double reach = discs[other].reach;
        if (squared_distance(nodes_[other], candidate.position) <= reach * reach) {
          sets.union_set(other, candidate.corners[0]);
        }
      });
      for (const std::uint32_t corner : candidate.corners) {
        sets.union_set(corner, candidate.corners[0]);
      }
      relays.push_back(candidate.position);
    }
    nodes_.insert(nodes_.end(), relays.begin(), relays.end());
    return relays;
  }

  std::vector<bool> used_nodes(const Network& network) const {
    std::vector<bool> used(nodes_.size());
    for (const RouteEdge& edge : network.edges) {
      used[edge.a] = true;
      used[edge.b] = true;
    }
    return used;
  }

  // Returns the number of the last `chosen` nodes that the network has.
  std::uint64_t used_among(const Network& network, std::size_t chosen) const {
    const std::vector<bool> used = used_nodes(network);
    return static_cast<std::uint64_t>(
        std::count(used.end() - static_cast<std::ptrdiff_t>(chosen), used.end(), true));
  }

  // Nodes of a placement are sensors, new relays, and then the relays of `fixed`.
  void write(const Network& network, Placement& placement) const {
    const std::vector<bool> used = used_nodes(network);
    std::vector<std::uint32_t> numbers(nodes_.size());
    for (std::uint32_t i = 0; i < sensors_.size(); ++i) numbers[i] = i;
    const auto next = [&] {
      return static_cast<std::uint32_t>(sensors_.size() + placement.relays.size());
    };
    for (std::size_t i = points_.size(); i < nodes_.size(); ++i) {
      if (!used[i]) continue;
      numbers[i] = next();
      placement.relays.push_back({nodes_[i], true});
    }
    const std::uint32_t first_fixed =
        next() + static_cast<std::uint32_t>(network.relays_on_edges());
    for (std::size_t i = sensors_.size(); i < points_.size(); ++i) {
      if (!used[i]) continue;
      numbers[i] = first_fixed + static_cast<std::uint32_t>(placement.fixed.size());
      placement.fixed.push_back(static_cast<std::uint32_t>(i - sensors_.size()));
    }
    for (std::size_t i = 0; i < network.edges.size(); ++i) {
      std::uint32_t last = numbers[network.edges[i].a];
      for (const Position& relay : network.relays[i]) {
        const std::uint32_t number = next();
        placement.relays.push_back({relay, false});
        placement.links.push_back({last, number});
        last = number;
      }
      placement.links.push_back({last, numbers[network.edges[i].b]});
    }
  }

  // Computed from the positions of sensors and relays alone.
  bool is_connected(const Placement& placement) const {
    std::vector<Position> all = positions_of(sensors_);
    for (const Relay& relay : placement.relays) {
      if (limits_.forbidden.contains(relay.position)) return false;
      all.push_back(relay.position);
    }
    for (const Point& fixed : limits_.fixed) all.push_back(position_of(fixed));
    Sets sets(std::max<std::size_t>(all.size(), 1));
    for (const TreeEdge& edge : reception_.forest(all, stop_)) sets.union_set(edge.a, edge.b);
    for (std::uint32_t i = 1; i < sensors_.size(); ++i) {
      if (sets.find_set(i) != sets.find_set(0U)) return false;
    }
    return true;
  }

  const std::span<const Point> sensors_;
  const std::int32_t radius_;
  const PlacementLimits& limits_;
  const std::stop_token& stop_;
  const Reception reception_;
  RelayRoute route_;
  std::vector<Point> points_;    // Sensors, then relays that exist.
  std::vector<Position> nodes_;  // These, then relays of candidates.
  std::vector<TreeEdge> sensor_edges_;
};

}  // namespace

Placement place_relays(Queue& queue, std::span<const Point> sensors, std::int32_t radius,
                       const PlacementLimits& limits, const std::stop_token& stop) {
  if (limits.empty()) return place_relays(queue, sensors, radius, stop);
  check(sensors, radius, limits);
  const auto start = std::chrono::steady_clock::now();
  Placement placement = LimitedPlacer(sensors, radius, limits, stop).place();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  placement.seconds = taken.count();
  return placement;
}

}  // namespace millrace::three_star
