// SPDX-License-Identifier: Apache-2.0

// Regions of the sphere side by side on one grid of whole numbers.
#ifndef MILLRACE_TOOLS_GEOGRAPHY_REGION_PLANE_H_
#define MILLRACE_TOOLS_GEOGRAPHY_REGION_PLANE_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/tools/geography/sphere_regions.h>
#include <millrace/tools/geography/stereographic.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace millrace::tools {

struct RegionPlane {
  // All points, each in its region's rectangle of the grid, in the order of the input; then copies
  // of points for regions whose core they are not in.
  std::vector<three_star::Point> points;
  std::vector<std::uint32_t> origins;  // The original point of each copy.
  ScaleRange scale;                    // Range over all regions.
};

// Projects each region about its own centre to a grid of `step` metres, with more than `gap` steps
// between regions. Scales hold for circles of a radius up to `reach` (an angle) about its members.
// Returns nothing if the regions do not fit into 32 bits.
std::optional<RegionPlane> lay_out(std::span<const Direction> points, const SphereRegions& regions,
                                   double reach, double step, std::int64_t gap);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_GEOGRAPHY_REGION_PLANE_H_
