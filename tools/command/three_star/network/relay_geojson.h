// SPDX-License-Identifier: Apache-2.0

// Relays and links as GeoJSON.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_GEOJSON_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_GEOJSON_H_

#include <millrace/tools/command/three_star/network/network_nodes.h>

#include <ostream>

namespace millrace::tools {

// Writes a FeatureCollection (RFC 7946) with the properties of simplestyle-spec 1.1. New relays are
// Points with `relay`, `kind` and `joins`, and used ones that existed with `fixed` and `kind`.
// Links are LineStrings with `kind` "link", `a`, `b` and `metres`; one across the 180th meridian is
// a MultiLineString that is cut there. Of points with latitudes.
void write_relays_geojson(const NetworkNodes& nodes, std::ostream& out);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_GEOJSON_H_
