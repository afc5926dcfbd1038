// SPDX-License-Identifier: Apache-2.0

// The reference's samples at all half sample positions, in host memory.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_HALF_SAMPLES_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_HALF_SAMPLES_H_

#include <algorithm>
#include <cstddef>

namespace millrace::motion {

// Two arrays of pairs, not owned. The pair at (x, y) of `whole_rows` is the sample at whole samples
// (x, y), and b, half a sample to its right (ITU-T H.264, figure 8-4). The pair of `half_rows` is
// half a sample below these two: h and j. A margin surrounds the picture. Outside of it samples
// equal the nearest inside, because the filters reach no further than the margin.
template <class Sample>
struct HalfSamples {
  static constexpr int kMargin = 8;        // Pairs left of, above and below the picture.
  static constexpr int kMarginRight = 16;  // Wider, because 16 bytes are read at once.

  // Returns the pairs between rows, such that whole vectors may be written.
  static constexpr std::ptrdiff_t stride_of(int width) {
    constexpr int kMostLanes = 32;
    return (width + kMargin + kMarginRight + kMostLanes - 1) / kMostLanes * kMostLanes;
  }

  // Returns the number of samples of both arrays together.
  static constexpr std::size_t size_of(int width, int height) {
    return static_cast<std::size_t>(4 * stride_of(width) * (height + 2 * kMargin));
  }

  // Views `memory`, which has size_of() samples.
  static constexpr HalfSamples in(Sample* memory, int width, int height) {
    return {memory, memory + size_of(width, height) / 2, 2 * stride_of(width), width, height};
  }

  // Returns the offset of the pair at (x, y), also in the margins.
  constexpr std::ptrdiff_t offset(int x, int y) const {
    return (y + kMargin) * stride + 2 * (x + kMargin);
  }

  Sample* whole_rows = nullptr;
  Sample* half_rows = nullptr;
  std::ptrdiff_t stride = 0;  // Samples between rows.
  int width = 0;              // Size of the picture.
  int height = 0;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_HALF_SAMPLES_H_
