// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/three_star/network/relay_geojson.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

// Colours of three_star_map.cc.
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

std::string coordinates(const LatLng& position) {
  return coordinate_text(position.longitude) + ',' + coordinate_text(position.latitude);
}

std::string centimetres(double metres) {
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

void write_kml_styles(std::ostream& out) {
  const std::pair<const char*, const char*> styles[] = {
      {"three-star", "ff739e00"}, {"tree", "ff005ed5"}, {"fixed", "ffa779cc"}};
  for (const auto& [id, colour] : styles) {
    out << "<Style id=\"" << id << "\"><IconStyle><color>" << colour
        << "</color></IconStyle></Style>\n";
  }
  out << "<Style id=\"link\"><LineStyle><color>ff009fe6</color><width>2</width></LineStyle>"
         "</Style>\n";
}

void write_data(std::ostream& out, const char* name, const std::string& value) {
  out << "<Data name=\"" << name << "\"><value>" << value << "</value></Data>";
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

void write_relays_kml(const NetworkNodes& nodes, std::ostream& out) {
  out << R"(<?xml version="1.0" encoding="UTF-8"?>)"
      << "\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><name>relays</name>\n";
  write_kml_styles(out);
  out << "<Folder><name>relays</name>\n";
  for_each_relay(nodes, [&](std::uint32_t node, const char* index_name, const std::string& index,
                            const std::string& joins) {
    const char* const kind = to_string(nodes.kind(node));
    out << "<Placemark><name>" << nodes.name(node) << "</name><styleUrl>#" << kind
        << "</styleUrl><ExtendedData>";
    write_data(out, index_name, index);
    write_data(out, "kind", kind);
    if (!joins.empty()) write_data(out, "joins", joins);
    out << "</ExtendedData><Point><coordinates>" << coordinates(nodes.lat_lng(node))
        << "</coordinates></Point></Placemark>\n";
  });
  out << "</Folder>\n<Folder><name>links</name>\n";
  for (const three_star::Link& link : nodes.links()) {
    out << "<Placemark><name>" << nodes.name(link.a) << ' ' << nodes.name(link.b)
        << "</name><styleUrl>#link</styleUrl><ExtendedData>";
    write_data(out, "kind", "link");
    write_data(out, "a", nodes.name(link.a));
    write_data(out, "b", nodes.name(link.b));
    write_data(out, "metres", centimetres(nodes.metres(link)));
    out << "</ExtendedData><LineString><tessellate>1</tessellate><coordinates>"
        << coordinates(nodes.lat_lng(link.a)) << ' ' << coordinates(nodes.lat_lng(link.b))
        << "</coordinates></LineString></Placemark>\n";
  }
  out << "</Folder></Document></kml>\n";
}

}  // namespace millrace::tools
