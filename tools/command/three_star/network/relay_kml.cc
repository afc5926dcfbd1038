// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/three_star/network/relay_kml.h>
#include <millrace/tools/command/three_star/network/relay_text.h>

#include <cstdint>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

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
