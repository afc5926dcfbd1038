// SPDX-License-Identifier: Apache-2.0

// The file of relays.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_WRITE_RELAYS_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_WRITE_RELAYS_H_

#include <millrace/algorithms/three_star/placement/placement.h>
#include <millrace/tools/command/three_star/points/sensor_grid.h>

#include <ostream>
#include <string>

namespace millrace::tools {

enum class RelayFormat { kTable, kGeojson, kKml };

// Returns the format of a file that is named .geojson or .json, .kml, or otherwise.
RelayFormat relay_format_of(const std::string& path);

// Writes GeoJSON or KML (network/relay_geojson.h, relay_kml.h) of points with latitudes, or a table
// with a line for each new relay, in the columns and units of the points:
//
//   relay,x,y,kind,joins
//   0,12.5,7,three-star,s0 s4 s17
//   1,33,-2.25,tree,r0 s9
//
// `joins` lists the neighbours in the tree of all: s and the index of a point, from 0 on, r and
// that of a relay, or f and that of a relay that existed.
void write_relays(const three_star::Placement& placement, const SensorGrid& grid,
                  RelayFormat format, std::ostream& out);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_WRITE_RELAYS_H_
