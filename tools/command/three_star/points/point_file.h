// SPDX-License-Identifier: Apache-2.0

// The points of a file, in its own units.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_POINTS_POINT_FILE_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_POINTS_POINT_FILE_H_

#include <millrace/algorithms/three_star/placement/position.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

enum class PointColumns {
  kUnnamed,  // Two numbers each: x and y, or latitude and longitude.
  kXY,
  kLatLng,  // Counted in degrees.
};

struct PointFile {
  PointColumns columns = PointColumns::kUnnamed;
  std::vector<three_star::Position> points;  // The first column is x: of kLatLng, the latitude.

  // Consecutive lines, from this point and line number on.
  struct Lines {
    std::size_t point;
    std::uint64_t line;
  };
  std::string name{};               // Name of the file; empty if there is none.
  std::vector<Lines> lines{};       // Lines of a text, by point; else empty.
  std::uint64_t comment_lines = 0;  // Lines of a text that begin with # or % and name no columns.
  // Locations of points in GeoJSON or KML, one for each; else empty.
  std::vector<std::string> locations{};
  // The range of each point in metres, or in units of x and y; infinity where the file has none.
  // Empty: no point has one, or ranges were not requested.
  std::vector<double> ranges{};

  // Returns the location of a point for messages: "in.csv: line 3", "in.npy: row 1",
  // "in.geojson: features[1]" or "point 1".
  std::string location_of(std::size_t point) const;
};

// Reads the points of a file or pipe; "-" is standard input. A .npy file, recognised by its
// content, is an array of N x 2 integers or floats of up to 8 bytes, in either order. Everything
// else is a text table (tools/tables/read_table.h): lines of two numbers, or a heading with
// names, of which x and y (easting and northing) are used, or lat and lng (latitude; longitude,
// lon, long). The heading may be a comment, as numpy.savetxt writes it. Numbers may have decimal
// commas if no comma separates fields. Text that begins as JSON or XML is GeoJSON or KML
// (tools/geography/formats/geometry_file.h). With `with_ranges`, a column or property named `range`
// has the points' ranges; an empty field is none. Throws Error(kIo) with the name, and the number
// of the line or row, if the file cannot be read, has no points, has a line that is not a pair of
// finite numbers, or has a whole number that is not exact as a double, such as 2^53 + 1. (Text with
// an exponent is rounded to the nearest double.) Throws Error(kCancelled) if a signal comes while a
// pipe is read.
PointFile read_points(const std::string& path, bool with_ranges = false);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_POINTS_POINT_FILE_H_
