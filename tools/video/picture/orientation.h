// SPDX-License-Identifier: Apache-2.0

// The turns and flips that a container asks for when its pictures are shown.
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_ORIENTATION_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_ORIENTATION_H_

#include <array>
#include <cstdint>
#include <string>

#include <millrace/tools/video/picture/picture.h>

namespace millrace::tools {

// Sample (x, y) of the shown picture is sample (x, y) of the stored one after the columns of the
// shown one were counted from the right (`flips_x`), its rows from below (`flips_y`), and then both
// exchanged (`transposes`).
struct Orientation {
  bool transposes = false;
  bool flips_x = false;
  bool flips_y = false;

  bool is_upright() const { return !transposes && !flips_x && !flips_y; }

  // Such as "rotated by 90 degrees"; "" when upright. Degrees are clockwise.
  std::string text() const;
};

// A display matrix of ISO/IEC 14496-12, 6.2.2, as nine numbers of 16.16 bits row by row.
struct DisplayMatrix {
  std::array<std::int32_t, 9> values{};

  // Returns true for turns by whole quarters and flips, scaled or not.
  bool is_orthogonal() const;

  // The orientation of an orthogonal matrix; of others, the upright one.
  Orientation orientation() const;

  // Clockwise, in whole degrees.
  int degrees() const;
};

// Makes `shown` the picture `stored` in that orientation, resized and padded. They are different
// pictures.
void orient(const Picture& stored, const Orientation& orientation, Picture& shown);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_ORIENTATION_H_
