// SPDX-License-Identifier: Apache-2.0

// The conditions on relays that options and the points' file have.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_LIMITS_PLACEMENT_INPUTS_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_LIMITS_PLACEMENT_INPUTS_H_

#include <millrace/algorithms/three_star/placement/limits/placement_limits.h>
#include <millrace/tools/command/three_star/points/point_file.h>
#include <millrace/tools/command/three_star/points/sensor_grid.h>

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::tools {

struct PlacementInputs {
  std::vector<double> ranges;  // Counted in steps of the grid; empty: all have the radius.
  std::size_t own_ranges = 0;  // Points that have a range of their own.
  std::vector<three_star::Link> links;
  bool has_links = false;
  std::vector<three_star::AreaPolygon> polygons;

  // Returns the conditions; they refer to this object and the grid.
  three_star::PlacementLimits limits(const SensorGrid& grid) const;
};

// Reads the files of --links and --forbidden, unless their names are empty. Throws what
// read_links() and read_forbidden_polygons() throw.
PlacementInputs read_placement_inputs(const std::string& links, const std::string& forbidden,
                                      const PointFile& points, const SensorGrid& grid);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_LIMITS_PLACEMENT_INPUTS_H_
