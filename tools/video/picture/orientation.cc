// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/picture/orientation.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace millrace::tools {
namespace {

// Columns and rows that are transposed together, so that both planes stay in cache.
constexpr int kTile = 16;

void transpose(const ConstPicturePlane& from, const Orientation& orientation,
               const PicturePlane& to) {
  for (int top = 0; top < to.height; top += kTile) {
    for (int left = 0; left < to.width; left += kTile) {
      for (int y = top; y < std::min(top + kTile, to.height); ++y) {
        const int from_x = orientation.flips_y ? to.height - 1 - y : y;
        std::uint8_t* const row = to.row(y);
        for (int x = left; x < std::min(left + kTile, to.width); ++x) {
          row[x] = from.row(orientation.flips_x ? to.width - 1 - x : x)[from_x];
        }
      }
    }
  }
}

void flip(const ConstPicturePlane& from, const Orientation& orientation, const PicturePlane& to) {
  for (int y = 0; y < to.height; ++y) {
    const std::uint8_t* const row = from.row(orientation.flips_y ? to.height - 1 - y : y);
    if (orientation.flips_x) {
      std::reverse_copy(row, row + to.width, to.row(y));
    } else {
      std::copy(row, row + to.width, to.row(y));
    }
  }
}

}  // namespace

std::string Orientation::text() const {
  if (is_upright()) return "";
  if (transposes) {
    if (flips_x == flips_y)
      return flips_x ? "rotated by 90 degrees and flipped upside down"
                     : "rotated by 90 degrees and flipped left to right";
    return flips_x ? "rotated by 90 degrees" : "rotated by 270 degrees";
  }
  if (flips_x && flips_y) return "rotated by 180 degrees";
  return flips_x ? "flipped left to right" : "flipped upside down";
}

bool DisplayMatrix::is_orthogonal() const {
  const auto size = [this](int index) { return std::abs(std::int64_t{values[index]}); };
  const std::int64_t along = std::min(size(0), size(4));
  const std::int64_t across = std::min(size(1), size(3));
  constexpr int kAtLeast = 50;  // About a degree, which FFmpeg takes for none as well.
  return along > kAtLeast * std::max(size(1), size(3)) ||
         across > kAtLeast * std::max(size(0), size(4));
}

// The matrix takes a stored (x, y) to (a x + c y, b x + d y).
Orientation DisplayMatrix::orientation() const {
  if (!is_orthogonal()) return {};
  const bool transposes = std::abs(std::int64_t{values[1]}) > std::abs(std::int64_t{values[0]});
  return {.transposes = transposes,
          .flips_x = values[transposes ? 3 : 0] < 0,
          .flips_y = values[transposes ? 1 : 4] < 0};
}

int DisplayMatrix::degrees() const {
  const double angle = std::atan2(values[1], values[0]) * 180 / std::numbers::pi;
  const int whole = static_cast<int>(std::lround(angle));
  return whole < 0 ? whole + 360 : whole;
}

void orient(const Picture& stored, const Orientation& orientation, Picture& shown) {
  const int width = orientation.transposes ? stored.height() : stored.width();
  const int height = orientation.transposes ? stored.width() : stored.height();
  shown.resize(width, height);
  for (int i = 0; i < Picture::kPlanes; ++i) {
    const auto apply = orientation.transposes ? transpose : flip;
    apply(stored.plane(i), orientation, shown.plane(i));
  }
  shown.pad();
}

}  // namespace millrace::tools
