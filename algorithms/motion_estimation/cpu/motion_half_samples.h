// SPDX-License-Identifier: Apache-2.0

// The reference's samples at all half sample positions, in host memory.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_MOTION_HALF_SAMPLES_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_MOTION_HALF_SAMPLES_H_

#include <algorithm>
#include <cstddef>

namespace millrace::motion {

// Two arrays of pairs, not owned. At (x, y) is in `whole_rows` the sample at whole samples (x, y),
// and b, which is half a sample to its right (ITU-T H.264, figure 8-4); in `half_rows` what is half
// a sample below these two, h and j. Around the picture is a margin; outside of it samples are the
// nearest inside, because the filters reach no further than the margin.
template <class Sample>
struct HalfSamples {
  static constexpr int kMargin = 8;        // Left, above and below.
  static constexpr int kMarginRight = 16;  // More, because 16 bytes are read at once.

  // Pairs between rows, such that whole vectors may be written.
  static constexpr std::ptrdiff_t stride_of(int width) {
    constexpr int kMostLanes = 32;
    return (width + kMargin + kMarginRight + kMostLanes - 1) / kMostLanes * kMostLanes;
  }

  // Samples of both arrays together.
  static constexpr std::size_t size_of(int width, int height) {
    return static_cast<std::size_t>(4 * stride_of(width) * (height + 2 * kMargin));
  }

  // In `memory`, size_of() samples.
  static constexpr HalfSamples in(Sample* memory, int width, int height) {
    return {memory, memory + size_of(width, height) / 2, 2 * stride_of(width), width, height};
  }

  // Of the pair at (x, y) within the margins.
  constexpr std::ptrdiff_t offset(int x, int y) const {
    return (y + kMargin) * stride + 2 * (x + kMargin);
  }

  Sample* whole_rows = nullptr;
  Sample* half_rows = nullptr;
  std::ptrdiff_t stride = 0;  // Samples.
  int width = 0;              // Of the picture.
  int height = 0;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_MOTION_HALF_SAMPLES_H_
