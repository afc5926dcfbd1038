// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/three_star/network/network_nodes.h>
#include <millrace/tools/command/three_star/network/relay_geojson.h>
#include <millrace/tools/command/three_star/network/relay_kml.h>
#include <millrace/tools/command/three_star/write_relays.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

void write_table(const NetworkNodes& nodes, const SensorGrid& grid, std::ostream& out) {
  const std::vector<std::string> joins = nodes.joins();
  out << (grid.is_lat_lng() ? "relay,lat,lng,kind,joins\n" : "relay,x,y,kind,joins\n");
  for (std::size_t i = 0; i < nodes.new_relays(); ++i) {
    const auto node = static_cast<std::uint32_t>(nodes.sensors() + i);
    const three_star::Position position = grid.to_input(nodes.position(node));
    out << i << ',' << coordinate_text(position.x) << ',' << coordinate_text(position.y) << ','
        << to_string(nodes.kind(node)) << ',' << joins[i] << '\n';
  }
}

}  // namespace

RelayFormat relay_format_of(const std::string& path) {
  std::string ending = path.substr(std::min(path.rfind('.'), path.size()));
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (ending == ".geojson" || ending == ".json") return RelayFormat::kGeojson;
  return ending == ".kml" ? RelayFormat::kKml : RelayFormat::kTable;
}

void write_relays(const three_star::Placement& placement, const SensorGrid& grid,
                  RelayFormat format, std::ostream& out) {
  const NetworkNodes nodes(grid, placement);
  switch (format) {
    case RelayFormat::kTable: return write_table(nodes, grid, out);
    case RelayFormat::kGeojson: return write_relays_geojson(nodes, out);
    case RelayFormat::kKml: return write_relays_kml(nodes, out);
  }
}

}  // namespace millrace::tools
