// SPDX-License-Identifier: Apache-2.0

// A decoded picture: 8-bit 4:2:0 planes of whole macroblocks.
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_PICTURE_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_PICTURE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace millrace::tools {

// A view of one plane. `width` x `height` samples are visible; `padded_width` x `padded_height`,
// both multiples of 16, may be read and written. Rows lie at a distance of `stride` bytes.
template <typename Sample>
struct BasicPicturePlane {
  Sample* data = nullptr;
  std::ptrdiff_t stride = 0;
  int width = 0;
  int height = 0;
  int padded_width = 0;
  int padded_height = 0;

  Sample* row(int y) const { return data + y * stride; }

  operator BasicPicturePlane<const Sample>() const requires(!std::is_const_v<Sample>) {
    return {data, stride, width, height, padded_width, padded_height};
  }
};

using PicturePlane = BasicPicturePlane<std::uint8_t>;
using ConstPicturePlane = BasicPicturePlane<const std::uint8_t>;

// Owns a luma plane (0) and two chroma planes (1 is Cb, 2 is Cr) of half its width and height,
// rounded up. Every row starts on a 64-byte boundary. A default-made picture has no samples.
class Picture {
 public:
  static constexpr int kPlanes = 3;
  static constexpr int kMacroblock = 16;

  Picture() = default;

  // Throws Error(kInvalidArgument) unless both are in 1..kMaxSize. Sample values are unspecified.
  Picture(int width, int height) { resize(width, height); }

  static constexpr int kMaxSize = 32768;

  // Does as the constructor; memory is reused, and samples are kept if the size is the same.
  void resize(int width, int height);

  // Returns the size of the visible luma plane.
  int width() const { return planes_[0].width; }
  int height() const { return planes_[0].height; }

  // Returns the macroblocks of the padded luma plane.
  int macroblock_columns() const { return planes_[0].padded_width / kMacroblock; }
  int macroblock_rows() const { return planes_[0].padded_height / kMacroblock; }

  PicturePlane plane(int index);
  ConstPicturePlane plane(int index) const;

  // Fills the padding: repeats the last visible column to the right, then the last row downwards.
  void pad();

 private:
  static constexpr std::size_t kAlignment = 64;
  struct alignas(kAlignment) Line {
    std::uint8_t samples[kAlignment];
  };
  struct Layout {
    std::size_t first_line = 0;
    std::ptrdiff_t stride = 0;
    int width = 0;
    int height = 0;
    int padded_width = 0;
    int padded_height = 0;
  };

  std::array<Layout, kPlanes> planes_;
  std::vector<Line> lines_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_PICTURE_H_
