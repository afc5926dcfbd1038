// Points from a file, as it has them.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_INPUT_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <millrace/algorithms/three_star/relay_position.h>

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
  std::string name{};          // Of the file; empty where there is none.
  std::vector<Lines> lines{};  // Of CSV, by point; else empty.

  // "in.csv: line 3", "in.npy: row 1" or "point 1": where a message says a point is.
  std::string place_of(std::size_t point) const;
};

// Reads a .npy array of N x 2, int32, int64, float32 or float64, in C order; any other name as CSV:
// lines of two numbers, or a header with names, of which x and y are taken, or lat and lng (also
// lon, latitude, longitude). Blank lines are skipped. Throws Error(kIo) with the name, and for a
// line or row with its number, where it cannot be read, holds no points, or one that is no pair of
// finite numbers, or has a whole number that a double cannot hold, such as 2^53 + 1. (CSV with an
// exponent is taken as the nearest double.)
PointFile read_points(const std::string& path);

// A decimal number, and nothing else but spaces around it. False where it is none, or not finite.
bool parse_number(std::string_view text, double& number);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_INPUT_H_
