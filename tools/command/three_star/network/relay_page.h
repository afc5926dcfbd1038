// SPDX-License-Identifier: Apache-2.0

// A map of a placement as one HTML file, to view in a browser.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_PAGE_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_PAGE_H_

#include <millrace/algorithms/three_star/placement/limits/forbidden_area.h>
#include <millrace/tools/command/three_star/network/network_nodes.h>
#include <millrace/tools/command/three_star/points/sensor_grid.h>

#include <ostream>
#include <span>

namespace millrace::tools {

// Writes a page that needs nothing from elsewhere: points, relays, links and polygons on a canvas
// that is moved and scaled by pointer, wheel and keys, with a graticule, or a grid for x and y, a
// scale bar and the name of the node under the pointer. `polygons` are on the grid.
void write_relay_page(const NetworkNodes& nodes, const SensorGrid& grid,
                      std::span<const three_star::AreaPolygon> polygons, std::ostream& out);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_PAGE_H_
