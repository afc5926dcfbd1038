// SPDX-License-Identifier: Apache-2.0

// Luma samples at fractional positions, by ITU-T H.264 clause 8.4.2.2.1, and the distance between
// blocks.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_QUARTER_SAMPLE_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_QUARTER_SAMPLE_H_

#include <millrace/runtime/core/target_function.h>

#include <cstdint>
#include <initializer_list>

namespace millrace::motion {

// The largest value of a sample: 8 bits in a byte, 10 bits in a word.
template <class Sample>
inline constexpr int kLargestSample = sizeof(Sample) == 1 ? 255 : 1023;

template <class Sample>
MILLRACE_FUNCTION constexpr int clip_sample(int value) {
  if (value < 0) return 0;
  return value < kLargestSample<Sample> ? value : kLargestSample<Sample>;
}

// Applies the filter of equation 8-241: six neighbours in a row or column, unrounded; the weights
// of the middle ones are 20 and -5.
MILLRACE_FUNCTION constexpr int six_taps(int a, int b, int c, int d, int e, int f) {
  return a - 5 * b + 20 * c + 20 * d - 5 * e + f;
}

// Returns the sample at (x, y), in quarter samples; whole(x, y) is the one at whole samples (x, y),
// which may be outside the picture. This is the definition; nothing here is optimised.
template <class Sample, class Whole>
MILLRACE_FUNCTION constexpr int quarter_sample(const Whole& whole, int x, int y) {
  const int ix = x >> 2;
  const int iy = y >> 2;
  const int fx = x & 3;
  const int fy = y & 3;
  // Computes b, h and j of the standard's figure 8-4, and those around neighbouring whole samples.
  const auto row = [&](int dx, int dy) {
    const int px = ix + dx;
    const int py = iy + dy;
    return six_taps(whole(px - 2, py), whole(px - 1, py), whole(px, py), whole(px + 1, py),
                    whole(px + 2, py), whole(px + 3, py));
  };
  const auto column = [&](int dx, int dy) {
    const int px = ix + dx;
    const int py = iy + dy;
    return six_taps(whole(px, py - 2), whole(px, py - 1), whole(px, py), whole(px, py + 1),
                    whole(px, py + 2), whole(px, py + 3));
  };
  const auto b = [&](int dy) { return clip_sample<Sample>((row(0, dy) + 16) >> 5); };
  const auto h = [&](int dx) { return clip_sample<Sample>((column(dx, 0) + 16) >> 5); };
  const auto j = [&] {
    return clip_sample<Sample>(
        (six_taps(row(0, -2), row(0, -1), row(0, 0), row(0, 1), row(0, 2), row(0, 3)) + 512) >> 10);
  };
  const auto middle = [](int p, int q) { return (p + q + 1) >> 1; };
  // Offset of the whole or half sample on the near side of a quarter sample.
  const int near_x = fx == 3 ? 1 : 0;
  const int near_y = fy == 3 ? 1 : 0;
  if (fx == 0 && fy == 0) return whole(ix, iy);
  if (fy == 0) return fx == 2 ? b(0) : middle(whole(ix + near_x, iy), b(0));  // b; a, c
  if (fx == 0) return fy == 2 ? h(0) : middle(whole(ix, iy + near_y), h(0));  // h; d, n
  if (fx == 2 && fy == 2) return j();
  if (fx == 2) return middle(b(near_y), j());  // f, q
  if (fy == 2) return middle(h(near_x), j());  // i, k
  return middle(b(near_y), h(near_x));         // e, g, p, r
}

// Returns (sum of |.| + 1) >> 1 of the 4x4 Hadamard transform of differences in raster order.
MILLRACE_FUNCTION constexpr std::uint32_t satd_4x4(const int (&differences)[16]) {
  int rows[16] = {};
  for (int i = 0; i < 4; ++i) {
    const int* const d = differences + 4 * i;
    const int s01 = d[0] + d[1];
    const int d01 = d[0] - d[1];
    const int s23 = d[2] + d[3];
    const int d23 = d[2] - d[3];
    rows[4 * i] = s01 + s23;
    rows[4 * i + 1] = s01 - s23;
    rows[4 * i + 2] = d01 + d23;
    rows[4 * i + 3] = d01 - d23;
  }
  std::uint32_t sum = 0;
  for (int i = 0; i < 4; ++i) {
    const int s01 = rows[i] + rows[4 + i];
    const int d01 = rows[i] - rows[4 + i];
    const int s23 = rows[8 + i] + rows[12 + i];
    const int d23 = rows[8 + i] - rows[12 + i];
    for (const int value : {s01 + s23, s01 - s23, d01 + d23, d01 - d23}) {
      sum += static_cast<std::uint32_t>(value < 0 ? -value : value);
    }
  }
  return (sum + 1) >> 1;
}

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_QUARTER_SAMPLE_H_
