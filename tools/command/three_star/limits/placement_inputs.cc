// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/three_star/limits/forbidden_polygons.h>
#include <millrace/tools/command/three_star/limits/link_table.h>
#include <millrace/tools/command/three_star/limits/placement_inputs.h>

#include <cmath>

namespace millrace::tools {
namespace {

// Fraction of the radius that relays keep from the borders of polygons.
constexpr double kClearance = 0.001;

// Returns steps that are whole if the range is a multiple of the step.
double in_steps(double range, double step) {
  const double steps = range / step;
  const double whole = std::round(steps);
  return std::abs(steps - whole) <= 1e-9 * steps ? whole : steps;
}

}  // namespace

three_star::PlacementLimits PlacementInputs::limits(const SensorGrid& grid) const {
  return {.ranges = ranges,
          .fixed = grid.relays(),
          .links = links,
          .has_listed_links = has_links,
          .forbidden = three_star::ForbiddenArea(polygons, kClearance * grid.radius())};
}

PlacementInputs read_placement_inputs(const std::string& links, const std::string& forbidden,
                                      const PointFile& points, const SensorGrid& grid) {
  PlacementInputs inputs;
  for (const double range : points.ranges) {
    const bool is_own = std::isfinite(range);
    inputs.own_ranges += is_own ? 1 : 0;
    inputs.ranges.push_back(is_own ? in_steps(range, grid.step()) : grid.radius());
  }
  if (inputs.own_ranges == 0) inputs.ranges.clear();
  if (!links.empty()) {
    inputs.links = read_links(links, grid.inputs());
    inputs.has_links = true;
  }
  if (!forbidden.empty()) inputs.polygons = read_forbidden_polygons(forbidden, grid);
  return inputs;
}

}  // namespace millrace::tools
