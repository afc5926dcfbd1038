// SPDX-License-Identifier: Apache-2.0

// Points from a file, as it has them.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_POINTS_THREE_STAR_INPUT_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_POINTS_THREE_STAR_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <millrace/algorithms/three_star/placement/relay_position.h>

namespace millrace::tools {

enum class PointColumns {
  kUnnamed,  // Two numbers each: x and y, or latitude and longitude.
  kXY,
  kLatLng,  // In degrees.
};

struct PointFile {
  PointColumns columns = PointColumns::kUnnamed;
  std::vector<three_star::Position> points;  // The first column is x: of kLatLng, the latitude.

  // From this point on, lines follow one another, the first with this number.
  struct Lines {
    std::size_t point;
    std::uint64_t line;
  };
  std::string name{};               // Name of the file; empty if there is none.
  std::vector<Lines> lines{};       // Lines of a text, by point; else empty.
  std::uint64_t comment_lines = 0;  // Lines of a text that begin with # and name no columns.

  // "in.csv: line 3", "in.npy: row 1" or "point 1": where a message says a point is.
  std::string place_of(std::size_t point) const;
};

// Reads the points of a file or pipe; "-" is standard input. What begins as a .npy file is an array
// of N x 2 integers or floats of up to 8 bytes, in either order. All else is a table in text
// (tools/tables/table_reader.h): lines of two numbers, or a heading with names, of which x and y
// (easting and northing) are taken, or lat and lng (latitude; longitude, lon, long). The heading
// may be a comment, as numpy.savetxt writes it. Numbers have decimal commas where no comma
// separates fields. Throws Error(kIo) with the name, and for a line or row with its number, where
// it cannot be read, holds no points, or one that is no pair of finite numbers, or has a whole
// number that a double cannot hold, such as 2^53 + 1. (Text with an exponent is taken as the
// nearest double.) Throws Error(kCancelled) where a signal comes while a pipe is read.
PointFile read_points(const std::string& path);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_POINTS_THREE_STAR_INPUT_H_
