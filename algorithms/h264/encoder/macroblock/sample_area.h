// SPDX-License-Identifier: Apache-2.0

// Samples of one macroblock that is being tried, with those of its neighbours around it.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_SAMPLE_AREA_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_SAMPLE_AREA_H_

#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/runtime/core/target_function.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace millrace::h264 {

// Each candidate of a macroblock has an area of its own. Only the best candidate is stored to the
// picture.
class SampleArea {
 public:
  static constexpr std::ptrdiff_t kStride = 48;

  // Returns the first sample of the macroblock in a plane. The row above it has samples from the
  // corner to 8 beyond the right edge of luma.
  MILLRACE_FUNCTION std::uint8_t* samples(int plane) { return samples_[plane] + kStride + kBefore; }
  MILLRACE_FUNCTION const std::uint8_t* samples(int plane) const {
    return samples_[plane] + kStride + kBefore;
  }

  // Copies the neighbours' samples that are inside the picture.
  MILLRACE_FUNCTION void load_neighbours(const PictureView& picture, int column, int row) {
    for (int plane = 0; plane < 3; ++plane) {
      const int side = plane == 0 ? 16 : 8;
      const std::ptrdiff_t stride = picture.stride(plane);
      const std::uint8_t* const from = picture.planes[plane] + picture.offset(plane, column, row);
      std::uint8_t* const to = samples(plane);
      if (row > 0) {
        const int first = column > 0 ? -1 : 0;
        const int last = std::min(side + 8, picture.width(plane) - side * column);
        std::memcpy(to - kStride + first, from - stride + first,
                    static_cast<std::size_t>(last - first));
      }
      for (int y = 0; column > 0 && y < side; ++y) to[y * kStride - 1] = from[y * stride - 1];
    }
  }

  // Copies the macroblock to the picture.
  MILLRACE_FUNCTION void store(const PictureView& picture, int column, int row) const {
    for (int plane = 0; plane < 3; ++plane) {
      const int side = plane == 0 ? 16 : 8;
      const std::ptrdiff_t stride = picture.stride(plane);
      const std::uint8_t* const from = samples(plane);
      std::uint8_t* const to = picture.planes[plane] + picture.offset(plane, column, row);
      for (int y = 0; y < side; ++y) {
        std::memcpy(to + y * stride, from + y * kStride, static_cast<std::size_t>(side));
      }
    }
  }

 private:
  static constexpr int kBefore = 16;  // Columns, of which the last is used.

  alignas(16) std::uint8_t samples_[3][17 * kStride];
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_SAMPLE_AREA_H_
