// SPDX-License-Identifier: Apache-2.0

// A view of one plane of a picture in device memory.
#ifndef MILLRACE_ALGORITHMS_PICTURE_BASIC_PLANE_H_
#define MILLRACE_ALGORITHMS_PICTURE_BASIC_PLANE_H_

#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace millrace::picture {

inline constexpr int kMacroblockWidth = 16;

// A plane's samples, not owned. `width` and `height` are in samples and multiples of 16; rows are
// at a distance of `stride` samples. Planes stacked vertically with one stride are one taller
// plane.
template <class Sample>
struct BasicPlane {
  Sample* data = nullptr;
  std::ptrdiff_t stride = 0;
  int width = 0;
  int height = 0;

  MILLRACE_FUNCTION constexpr int macroblocks_per_row() const { return width / kMacroblockWidth; }

  MILLRACE_FUNCTION constexpr std::size_t macroblock_count() const {
    return static_cast<std::size_t>(macroblocks_per_row()) *
           static_cast<std::size_t>(height / kMacroblockWidth);
  }

  // Returns the top left sample of macroblock `index`, counted in raster order.
  MILLRACE_FUNCTION constexpr Sample* macroblock(std::size_t index) const {
    const auto item = static_cast<std::uint32_t>(index);
    const auto per_row = static_cast<std::uint32_t>(macroblocks_per_row());
    const std::uint32_t row = item / per_row;
    const std::uint32_t column = item - row * per_row;
    return data + kMacroblockWidth * (static_cast<std::ptrdiff_t>(row) * stride + column);
  }

  // Converts to a view that only reads the samples.
  template <class Other>
  requires std::is_same_v<Other, const Sample> MILLRACE_FUNCTION constexpr
  operator BasicPlane<Other>() const {  // NOLINT: widening
    return {data, stride, width, height};
  }
};

}  // namespace millrace::picture

#endif  // MILLRACE_ALGORITHMS_PICTURE_BASIC_PLANE_H_
