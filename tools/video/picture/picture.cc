// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/video/picture/picture.h>

#include <algorithm>
#include <string>

namespace millrace::tools {
namespace {

constexpr int round_up(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

void pad_plane(const PicturePlane& plane) {
  for (int y = 0; y < plane.height; ++y) {
    std::uint8_t* row = plane.row(y);
    std::fill(row + plane.width, row + plane.padded_width, row[plane.width - 1]);
  }
  const std::uint8_t* last = plane.row(plane.height - 1);
  for (int y = plane.height; y < plane.padded_height; ++y) {
    std::copy(last, last + plane.padded_width, plane.row(y));
  }
}

}  // namespace

void Picture::resize(int width, int height) {
  if (width < 1 || height < 1 || width > kMaxSize || height > kMaxSize) {
    reject("picture size is " + std::to_string(width) + "x" + std::to_string(height) +
           "; each must be in 1.." + std::to_string(kMaxSize));
  }
  if (width == this->width() && height == this->height()) return;
  std::size_t lines = 0;
  for (int i = 0; i < kPlanes; ++i) {
    Layout& plane = planes_[i];
    plane.width = i == 0 ? width : (width + 1) / 2;
    plane.height = i == 0 ? height : (height + 1) / 2;
    plane.padded_width = round_up(plane.width, kMacroblock);
    plane.padded_height = round_up(plane.height, kMacroblock);
    plane.stride = round_up(plane.padded_width, kAlignment);
    plane.first_line = lines;
    lines += plane.stride / kAlignment * plane.padded_height;
  }
  lines_.resize(lines);
}

PicturePlane Picture::plane(int index) {
  const Layout& plane = planes_[index];
  return {lines_.empty() ? nullptr : lines_[plane.first_line].samples,
          plane.stride,
          plane.width,
          plane.height,
          plane.padded_width,
          plane.padded_height};
}

ConstPicturePlane Picture::plane(int index) const {
  return const_cast<Picture*>(this)->plane(index);
}

void Picture::pad() {
  for (int i = 0; i < kPlanes && !lines_.empty(); ++i) pad_plane(plane(i));
}

}  // namespace millrace::tools
