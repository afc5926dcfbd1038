// SPDX-License-Identifier: Apache-2.0

// Rotations and flips that a container requests for the display of its pictures.
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_ORIENTATION_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_ORIENTATION_H_

#include <millrace/tools/video/picture/picture.h>

#include <array>
#include <cstdint>
#include <string>

namespace millrace::tools {

// Sample (x, y) of the shown picture is sample (x, y) of the stored one after the columns of the
// shown one were counted from the right (`flips_x`), its rows from below (`flips_y`), and then both
// exchanged (`transposes`).
struct Orientation {
  bool transposes = false;
  bool flips_x = false;
  bool flips_y = false;

  bool is_upright() const { return !transposes && !flips_x && !flips_y; }

  // Returns a text such as "rotated by 90 degrees"; "" when upright. Degrees are clockwise.
  std::string text() const;
};

// A display matrix of ISO/IEC 14496-12, 6.2.2, as nine numbers of 16.16 bits row by row.
struct DisplayMatrix {
  std::array<std::int32_t, 9> values{};

  // Returns true for rotations by multiples of 90 degrees and flips, scaled or not.
  bool is_orthogonal() const;

  // Returns the orientation of an orthogonal matrix; upright for others.
  Orientation orientation() const;

  // Returns the rotation, clockwise in whole degrees.
  int degrees() const;
};

// Copies `stored` to `shown` in that orientation, resized and padded. They must be different
// pictures.
void orient(const Picture& stored, const Orientation& orientation, Picture& shown);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_ORIENTATION_H_
