// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/three_star/network/network_nodes.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace millrace::tools {

NodeKind NetworkNodes::kind(std::uint32_t node) const {
  if (node < sensors()) return NodeKind::kSensor;
  if (node >= sensors() + new_relays()) return NodeKind::kFixedRelay;
  return placement_.relays[node - sensors()].joins_three ? NodeKind::kThreeStarRelay
                                                         : NodeKind::kTreeRelay;
}

three_star::Position NetworkNodes::position(std::uint32_t node) const {
  switch (kind(node)) {
    case NodeKind::kSensor: return three_star::position_of(grid_.points()[node]);
    case NodeKind::kFixedRelay: {
      const std::uint32_t fixed = placement_.fixed[node - sensors() - new_relays()];
      return three_star::position_of(grid_.relays()[fixed]);
    }
    default: return placement_.relays[node - sensors()].position;
  }
}

std::string NetworkNodes::name(std::uint32_t node) const {
  switch (kind(node)) {
    case NodeKind::kSensor: return "s" + std::to_string(node);
    case NodeKind::kFixedRelay:
      return "f" + std::to_string(placement_.fixed[node - sensors() - new_relays()]);
    default: return "r" + std::to_string(node - sensors());
  }
}

LatLng NetworkNodes::lat_lng(std::uint32_t node) const {
  const three_star::Position input = grid_.to_input(position(node));
  return {input.x, input.y > 180 ? input.y - 360 : input.y};
}

double NetworkNodes::metres(const three_star::Link& link) const {
  return kEarthRadius * angle_between(direction_of(lat_lng(link.a)), direction_of(lat_lng(link.b)));
}

std::vector<std::string> NetworkNodes::joins() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joins;  // A relay and its neighbour.
  for (const auto& [a, b] : placement_.links) {
    joins.emplace_back(a, b);
    joins.emplace_back(b, a);
  }
  std::sort(joins.begin(), joins.end());
  std::vector<std::string> names(new_relays());
  for (const auto& [node, other] : joins) {
    if (node < sensors() || node >= sensors() + new_relays()) continue;
    std::string& text = names[node - sensors()];
    if (!text.empty()) text += ' ';
    text += name(other);
  }
  return names;
}

const char* to_string(NodeKind kind) {
  switch (kind) {
    case NodeKind::kSensor: return "point";
    case NodeKind::kThreeStarRelay: return "three-star";
    case NodeKind::kTreeRelay: return "tree";
    case NodeKind::kFixedRelay: return "fixed";
  }
  return "";
}

std::string coordinate_text(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

}  // namespace millrace::tools
