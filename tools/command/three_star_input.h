// Points from a file, as it has them.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_INPUT_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_INPUT_H_

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
};

// Reads a .npy array of N x 2, int32, int64, float32 or float64, in C order; any other name as CSV:
// lines of two numbers, or a header with names, of which x and y are taken, or lat and lng (also
// lon, latitude, longitude). Blank lines are skipped. Throws Error(kIo) with the name, and for a
// line or row with its number, where it cannot be read, holds no points, or one that is no pair of
// finite numbers.
PointFile read_points(const std::string& path);

// A decimal number, and nothing else but spaces around it. False where it is none, or not finite.
bool parse_number(std::string_view text, double& number);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_INPUT_H_
