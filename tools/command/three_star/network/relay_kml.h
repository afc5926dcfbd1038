// SPDX-License-Identifier: Apache-2.0

// Relays and links as KML.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_KML_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_KML_H_

#include <millrace/tools/command/three_star/network/network_nodes.h>

#include <ostream>

namespace millrace::tools {

// Writes KML 2.2 without pictures from elsewhere, with what write_relays_geojson() writes; links
// are not cut. Of points with latitudes.
void write_relays_kml(const NetworkNodes& nodes, std::ostream& out);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_KML_H_
