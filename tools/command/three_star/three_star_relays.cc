// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/three_star/three_star_relays.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

// Returns the shortest text that is exact: far from the origin, fewer digits would move a relay out
// of reach.
std::string text_of(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

}  // namespace

void write_relays(const three_star::Placement& placement, const SensorGrid& grid,
                  std::ostream& out) {
  const std::size_t sensors = grid.points().size();
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      joins;  // The node of a relay and that of its neighbour.
  for (const auto& [a, b] : placement.links) {
    if (a >= sensors) joins.emplace_back(a, b);
    if (b >= sensors) joins.emplace_back(b, a);
  }
  std::sort(joins.begin(), joins.end());
  out << (grid.is_lat_lng() ? "relay,lat,lng,kind,joins\n" : "relay,x,y,kind,joins\n");
  auto join = joins.begin();
  for (std::size_t i = 0; i < placement.relays.size(); ++i) {
    const three_star::Relay& relay = placement.relays[i];
    const three_star::Position place = grid.to_input(relay.position);
    out << i << ',' << text_of(place.x) << ',' << text_of(place.y) << ','
        << (relay.joins_three ? "three-star," : "tree,");
    const char* separator = "";
    for (; join != joins.end() && join->first == sensors + i; ++join) {
      const bool is_sensor = join->second < sensors;
      out << std::exchange(separator, " ") << (is_sensor ? 's' : 'r')
          << (is_sensor ? join->second : join->second - sensors);
    }
    out << '\n';
  }
}

}  // namespace millrace::tools
