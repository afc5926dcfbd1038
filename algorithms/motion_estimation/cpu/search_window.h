// SPDX-License-Identifier: Apache-2.0

// The samples of a reference around a macroblock.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SEARCH_WINDOW_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SEARCH_WINDOW_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace millrace::motion {

// An area of a plane that may extend beyond it; samples there are the nearest inside. Not
// thread-safe. Meant to be reused for one macroblock after another, because it keeps its memory.
template <class Sample>
class SearchWindow {
 public:
  // Moves the window to `width` x `height` samples, the first at (x, y) of the plane. Copies them
  // if they are not all inside.
  void move(const LumaPlane<Sample>& plane, int x, int y, int width, int height) {
    if (x >= 0 && y >= 0 && x + width <= plane.width && y + height <= plane.height) {
      data_ = plane.data + y * plane.stride + x;
      stride_ = plane.stride;
      return;
    }
    stride_ = width;
    copy_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    data_ = copy_.data();
    for (int row = 0; row < height; ++row) {
      const Sample* const from =
          plane.data + std::clamp(y + row, 0, plane.height - 1) * plane.stride;
      copy_row(from, plane.width, x, width, copy_.data() + row * stride_);
    }
  }

  const Sample* row(int y) const { return data_ + y * stride_; }
  std::ptrdiff_t stride() const { return stride_; }

 private:
  static void copy_row(const Sample* from, int from_width, int x, int width, Sample* to) {
    const int left = std::clamp(-x, 0, width);
    const int end = std::clamp(from_width - x, left, width);
    std::fill(to, to + left, from[0]);
    if (left < end) std::copy(from + x + left, from + x + end, to + left);
    std::fill(to + end, to + width, from[from_width - 1]);
  }

  const Sample* data_ = nullptr;
  std::ptrdiff_t stride_ = 0;
  std::vector<Sample> copy_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SEARCH_WINDOW_H_
