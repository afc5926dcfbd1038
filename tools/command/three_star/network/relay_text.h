// SPDX-License-Identifier: Apache-2.0

// The text of relays that all formats of maps have.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_TEXT_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_TEXT_H_

#include <millrace/tools/command/three_star/network/network_nodes.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace millrace::tools {

// Returns "longitude,latitude" in degrees.
inline std::string coordinates(const LatLng& position) {
  return coordinate_text(position.longitude) + ',' + coordinate_text(position.latitude);
}

// Returns metres to two decimals.
inline std::string centimetres(double metres) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", metres);
  return text;
}

// Calls visit(node, name of its index, index, its neighbours) for relays.
template <class Visit>
void for_each_relay(const NetworkNodes& nodes, const Visit& visit) {
  const std::vector<std::string> joins = nodes.joins();
  const auto first = static_cast<std::uint32_t>(nodes.sensors());
  for (std::uint32_t node = first; node < nodes.count(); ++node) {
    const bool is_new = nodes.kind(node) != NodeKind::kFixedRelay;
    visit(node, is_new ? "relay" : "fixed", nodes.name(node).substr(1),
          is_new ? joins[node - first] : std::string());
  }
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_TEXT_H_
