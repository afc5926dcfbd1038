// SPDX-License-Identifier: Apache-2.0

// Partition of points of a sphere into regions, each small enough for one projection.
#ifndef MILLRACE_TOOLS_GEOGRAPHY_SPHERE_REGIONS_H_
#define MILLRACE_TOOLS_GEOGRAPHY_SPHERE_REGIONS_H_

#include <millrace/tools/geography/sphere.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace millrace::tools {

// A cap of the sphere. Every point is in the core of exactly one region.
struct SphereRegion {
  Direction centre;
  double radius = 0;  // The largest angle between the centre and a member, in radians.
  // Members are SphereRegions::members[first] to [end - 1]; those before `core_end` are its core,
  // the others points of neighbouring regions within reach of it.
  std::size_t first = 0;
  std::size_t core_end = 0;
  std::size_t end = 0;
};

struct SphereRegions {
  std::vector<SphereRegion> regions;
  std::vector<std::uint32_t> members;  // Indices of points.
};

// Returns a small cap about the centre of the points' extent; nothing if there are no points or
// they surround the earth.
std::optional<SphereRegion> cap_of(std::span<const Direction> points,
                                   std::span<const std::uint32_t> members);

// Splits points into regions of a radius of at most `most_radius`. Of two points within `reach` of
// each other, each is a member of the region in whose core the other is. All angles are in radians.
// Clusters with gaps of more than `reach` do not share regions. Returns nothing if a connected
// cluster is too wide for one region and `reach` is too large for several.
std::optional<SphereRegions> split_sphere(std::span<const Direction> points, double reach,
                                          double most_radius);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_GEOGRAPHY_SPHERE_REGIONS_H_
