// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/three_star/network/relay_geojson.h>
#include <millrace/tools/command/three_star/network/relay_text.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

// Colours of relay_map.cc.
constexpr const char* kGreen = "#009e73";
constexpr const char* kVermilion = "#d55e00";
constexpr const char* kPurple = "#cc79a7";
constexpr const char* kOrange = "#e69f00";

const char* colour_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::kThreeStarRelay: return kGreen;
    case NodeKind::kFixedRelay: return kPurple;
    default: return kVermilion;
  }
}

// Returns the latitude where a line to the other side of the 180th meridian crosses it.
double crossing_latitude(const LatLng& from, const LatLng& to) {
  const double to_meridian = 180 - std::abs(from.longitude);
  const double beyond = 180 - std::abs(to.longitude);
  const double fraction = to_meridian + beyond > 0 ? to_meridian / (to_meridian + beyond) : 0;
  return from.latitude + fraction * (to.latitude - from.latitude);
}

std::string line(const LatLng& from, const LatLng& to) {
  if (std::abs(from.longitude - to.longitude) <= 180) {
    return R"("LineString","coordinates":[[)" + coordinates(from) + "],[" + coordinates(to) + "]]";
  }
  const double latitude = crossing_latitude(from, to);
  const double side = from.longitude < 0 ? -180 : 180;
  return R"("MultiLineString","coordinates":[[[)" + coordinates(from) + "],[" +
         coordinates({latitude, side}) + "]],[[" + coordinates({latitude, -side}) + "],[" +
         coordinates(to) + "]]]";
}

}  // namespace

void write_relays_geojson(const NetworkNodes& nodes, std::ostream& out) {
  out << R"({"type":"FeatureCollection","features":[)";
  const char* separator = "\n";
  for_each_relay(nodes, [&](std::uint32_t node, const char* index_name, const std::string& index,
                            const std::string& joins) {
    const NodeKind kind = nodes.kind(node);
    out << std::exchange(separator, ",\n") << R"({"type":"Feature","properties":{")" << index_name
        << "\":" << index << R"(,"kind":")" << to_string(kind) << '"';
    if (!joins.empty()) out << R"(,"joins":")" << joins << '"';
    out << R"(,"title":")" << nodes.name(node) << R"(","marker-color":")" << colour_of(kind)
        << R"(","marker-size":"small"},"geometry":{"type":"Point","coordinates":[)"
        << coordinates(nodes.lat_lng(node)) << "]}}";
  });
  for (const three_star::Link& link : nodes.links()) {
    out << std::exchange(separator, ",\n")
        << R"({"type":"Feature","properties":{"kind":"link","a":")" << nodes.name(link.a)
        << R"(","b":")" << nodes.name(link.b) << R"(","metres":)" << centimetres(nodes.metres(link))
        << R"(,"stroke":")" << kOrange << R"(","stroke-width":2},"geometry":{"type":)"
        << line(nodes.lat_lng(link.a), nodes.lat_lng(link.b)) << "}}";
  }
  out << "\n]}\n";
}

}  // namespace millrace::tools
