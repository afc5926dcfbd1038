// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/three_star/points/point_notes.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using three_star::Position;

// Returns the position with a unique longitude.
Position spelled(Position degrees) {
  if (std::abs(degrees.x) == 90) return {degrees.x, 0};
  if (degrees.y >= 180) degrees.y -= 360;
  if (degrees.y < -180) degrees.y += 360;
  return degrees;
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many) + "\n";
}

}  // namespace

std::string PointNotes::text() const {
  std::string text;
  if (at_zero > 0) {
    text += counted(at_zero, "point is at 0,0, which often stands for no position",
                    "points are at 0,0, which often stands for no position");
  }
  if (duplicates > 0) {
    text += counted(duplicates, "point is a duplicate of an earlier one",
                    "points are duplicates of earlier ones");
  }
  if (comment_lines > 0) {
    text += counted(comment_lines, "line begins with # or % and is a comment",
                    "lines begin with # or % and are comments");
  }
  return text;
}

PointNotes notes_of(const PointFile& file, bool is_lat_lng) {
  PointNotes notes = {.comment_lines = file.comment_lines};
  std::vector<std::pair<double, double>> positions;
  positions.reserve(file.points.size());
  for (const Position& point : file.points) {
    const Position position = is_lat_lng ? spelled(point) : point;
    positions.emplace_back(position.x, position.y);
    if (is_lat_lng && position == Position{0, 0}) ++notes.at_zero;
  }
  std::sort(positions.begin(), positions.end());
  const auto end = std::unique(positions.begin(), positions.end());
  notes.duplicates = static_cast<std::size_t>(positions.end() - end);
  return notes;
}

}  // namespace millrace::tools
