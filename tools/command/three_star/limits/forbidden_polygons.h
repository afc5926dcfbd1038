// SPDX-License-Identifier: Apache-2.0

// Polygons of a file on the grid of the points.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_LIMITS_FORBIDDEN_POLYGONS_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_LIMITS_FORBIDDEN_POLYGONS_H_

#include <millrace/algorithms/three_star/placement/limits/forbidden_area.h>
#include <millrace/tools/command/three_star/points/sensor_grid.h>

#include <string>
#include <vector>

namespace millrace::tools {

// Reads polygons of GeoJSON or KML, by their content. Their coordinates are longitudes and
// latitudes, or x and y if the points have these. Edges are straight in longitude and latitude, as
// RFC 7946 has it, and take the shorter way around the earth. Polygons that are all more than 90
// degrees from the points' region are left out. Throws Error(kIo) with the name and the location
// for all other geometries, coordinates that are no degrees, and files without polygons.
std::vector<three_star::AreaPolygon> read_forbidden_polygons(const std::string& path,
                                                             const SensorGrid& grid);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_LIMITS_FORBIDDEN_POLYGONS_H_
