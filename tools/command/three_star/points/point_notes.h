// SPDX-License-Identifier: Apache-2.0

// Notes about the points of a file: duplicates, comments, points at zero.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_POINTS_POINT_NOTES_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_POINTS_POINT_NOTES_H_

#include <millrace/tools/command/three_star/points/point_file.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace millrace::tools {

struct PointNotes {
  std::size_t duplicates = 0;  // Points at the position of an earlier one.
  std::size_t at_zero = 0;     // Points at latitude 0 and longitude 0.
  std::uint64_t comment_lines = 0;

  // Returns a line for each number that is not 0.
  std::string text() const;
};

// Longitudes that differ by 360 degrees are one position, and so are all at a pole.
PointNotes notes_of(const PointFile& file, bool is_lat_lng);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_POINTS_POINT_NOTES_H_
