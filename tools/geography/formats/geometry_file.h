// SPDX-License-Identifier: Apache-2.0

// Points and polygons of GeoJSON (RFC 7946) and KML (OGC 12-007r2) files.
//
//   if (is_geometry(text)) use(read_geometry(text, "sensors.geojson",
//   GeometryUse::kPoints).points);
#ifndef MILLRACE_TOOLS_GEOGRAPHY_FORMATS_GEOMETRY_FILE_H_
#define MILLRACE_TOOLS_GEOGRAPHY_FORMATS_GEOMETRY_FILE_H_

#include <millrace/tools/geography/sphere.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::tools {

struct GeometryPoint {
  LatLng position;
  std::optional<double> range{};  // The property `range`.
  std::string location{};         // In the file, for messages: "features[3]", "line 12".
};

// Rings in order; the last corner is joined to the first.
struct GeometryPolygon {
  std::vector<std::vector<LatLng>> rings;
  std::string location{};
};

struct GeometryFile {
  std::vector<GeometryPoint> points;
  std::vector<GeometryPolygon> polygons;
};

// Moves each longitude to the turn that is nearest to the one before: each edge takes the shorter
// way around the earth.
void make_continuous(std::vector<LatLng>& ring);

// Kinds of geometry that a file may have.
enum class GeometryUse { kPoints, kPolygons };

// Returns true if a text begins as JSON's objects and arrays or XML do.
bool is_geometry(std::string_view text);

// Reads GeoJSON or KML by its first character. Lines whose property `kind` is `link`, which
// `millrace three-star` writes, are skipped among points. Throws Error(kIo) with the name and the
// location for all other geometries, for coordinates in other systems than WGS 84, and for what is
// neither format. Properties are read for points alone.
GeometryFile read_geometry(std::string_view text, const std::string& name, GeometryUse use);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_GEOGRAPHY_FORMATS_GEOMETRY_FILE_H_
