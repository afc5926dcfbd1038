// SPDX-License-Identifier: Apache-2.0

// Pictures whose luma a function gives, for tests.
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_LUMA_TEST_HELPER_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_LUMA_TEST_HELPER_H_

#include <millrace/tools/video/picture/picture.h>

#include <cstdint>
#include <functional>

namespace millrace::tools {

inline Picture luma(int width, int height, const std::function<int(int x, int y)>& value) {
  Picture picture(width, height);
  const PicturePlane plane = picture.plane(0);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) plane.row(y)[x] = static_cast<std::uint8_t>(value(x, y));
  }
  return picture;
}

inline ConstPicturePlane plane_of(const Picture& picture) { return picture.plane(0); }

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_LUMA_TEST_HELPER_H_
