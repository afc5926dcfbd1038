// SPDX-License-Identifier: Apache-2.0

// The deblocking filter across one edge (ITU-T H.264 clauses 8.7.2.2 to 8.7.2.4).
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_DEBLOCKING_FILTER_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_DEBLOCKING_FILTER_H_

#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Thresholds of an edge of a macroblock, and the strengths of its four segments of 4 samples of
// luma, 2 of chroma.
struct EdgeFilter {
  int alpha = 0;
  int beta = 0;
  std::uint8_t strengths[4] = {};  // bS; 0: not filtered.
  std::uint8_t clipping[4] = {};   // tC0 of the segment's bS, where that is 1 to 3.
};

// Returns alpha, beta and tC0 (Tables 8-16 and 8-17) by indexA and indexB, 0 to 51.
MILLRACE_FUNCTION inline int deblocking_alpha(int index) {
  static constexpr std::uint8_t kAlpha[52] = {
      0,  0,  0,  0,  0,  0,  0,   0,   0,   0,   0,   0,   0,   0,   0,   0,  4,  4,
      5,  6,  7,  8,  9,  10, 12,  13,  15,  17,  20,  22,  25,  28,  32,  36, 40, 45,
      50, 56, 63, 71, 80, 90, 101, 113, 127, 144, 162, 182, 203, 226, 255, 255};
  return kAlpha[index];
}
MILLRACE_FUNCTION inline int deblocking_beta(int index) {
  static constexpr std::uint8_t kBeta[52] = {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
                                             0,  0,  0,  2,  2,  2,  3,  3,  3,  3,  4,  4,  4,
                                             6,  6,  7,  7,  8,  8,  9,  9,  10, 10, 11, 11, 12,
                                             12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18};
  return kBeta[index];
}
MILLRACE_FUNCTION inline int deblocking_clipping(int index, int strength) {
  static constexpr std::uint8_t kClipping[3][52] = {
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,  1,  1,
       1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 6, 7, 8, 9, 10, 11, 13},
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  1,  1,  1,  1,  1,
       1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 8, 10, 11, 12, 13, 15, 17},
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,  1,  1,  1,  1,  1,  1,  1,  1,
       1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 20, 23, 25}};
  return kClipping[strength - 1][index];
}

// Thresholds between two macroblocks, or inside of one, in a plane.
struct EdgeThresholds {
  int alpha = 0;
  int beta = 0;
  std::uint8_t clipping[5] = {};  // tC0 by bS; that of 0 and 4 is 0.

  MILLRACE_FUNCTION bool has_effect() const { return alpha > 0 && beta > 0; }
};

// Returns the thresholds for the mean QP of both sides and the offsets of a slice.
MILLRACE_FUNCTION inline EdgeThresholds edge_thresholds(int qp, int alpha_offset, int beta_offset) {
  const int index = clip(0, 51, qp + alpha_offset);
  EdgeThresholds thresholds;
  thresholds.alpha = deblocking_alpha(index);
  thresholds.beta = deblocking_beta(clip(0, 51, qp + beta_offset));
  for (int strength = 1; strength < 4; ++strength) {
    thresholds.clipping[strength] = static_cast<std::uint8_t>(deblocking_clipping(index, strength));
  }
  return thresholds;
}

MILLRACE_FUNCTION constexpr int distance(int a, int b) { return a < b ? b - a : a - b; }

// The filter reads these values on one line across an edge.
struct LineFilter {
  int alpha;
  int beta;
  int strength;  // bS, 1 to 4.
  int clipping;  // tC0, where bS is not 4.
};

MILLRACE_FUNCTION inline LineFilter line_filter(const EdgeFilter& filter, int segment) {
  return {filter.alpha, filter.beta, filter.strengths[segment], filter.clipping[segment]};
}

// Filters the samples on a line across the edge, of which p0 and q0 alone change in chroma. q
// points at the first one after it; p0 is q[-across].
MILLRACE_FUNCTION inline void filter_sample(const LineFilter& filter, bool is_luma, std::uint8_t* q,
                                            std::ptrdiff_t across) {
  const int strength = filter.strength;
  const int p0 = q[-across], p1 = q[-2 * across], p2 = is_luma ? q[-3 * across] : 0;
  const int q0 = q[0], q1 = q[across], q2 = is_luma ? q[2 * across] : 0;
  if (distance(p0, q0) >= filter.alpha || distance(p1, p0) >= filter.beta ||
      distance(q1, q0) >= filter.beta) {
    return;
  }
  const bool is_p_smooth = is_luma && distance(p2, p0) < filter.beta;
  const bool is_q_smooth = is_luma && distance(q2, q0) < filter.beta;
  const auto sample = [](int value) { return static_cast<std::uint8_t>(value); };
  if (strength < 4) {
    const int bound = filter.clipping;
    const int wide_bound = is_luma ? bound + is_p_smooth + is_q_smooth : bound + 1;
    const int delta = clip(-wide_bound, wide_bound, ((q0 - p0) * 4 + (p1 - q1) + 4) >> 3);
    const int mean = (p0 + q0 + 1) >> 1;
    q[-across] = clip_sample(p0 + delta);
    q[0] = clip_sample(q0 - delta);
    if (is_p_smooth) q[-2 * across] = sample(p1 + clip(-bound, bound, (p2 + mean - 2 * p1) >> 1));
    if (is_q_smooth) q[across] = sample(q1 + clip(-bound, bound, (q2 + mean - 2 * q1) >> 1));
    return;
  }
  const bool is_step_small = distance(p0, q0) < (filter.alpha >> 2) + 2;
  if (is_p_smooth && is_step_small) {
    const int p3 = q[-4 * across];
    q[-across] = sample((p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3);
    q[-2 * across] = sample((p2 + p1 + p0 + q0 + 2) >> 2);
    q[-3 * across] = sample((2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3);
  } else {
    q[-across] = sample((2 * p1 + p0 + q1 + 2) >> 2);
  }
  if (is_q_smooth && is_step_small) {
    const int q3 = q[3 * across];
    q[0] = sample((p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3);
    q[across] = sample((p0 + q0 + q1 + q2 + 2) >> 2);
    q[2 * across] = sample((2 * q3 + 3 * q2 + q1 + q0 + p0 + 4) >> 3);
  } else {
    q[0] = sample((2 * q1 + q0 + p1 + 2) >> 2);
  }
}

MILLRACE_FUNCTION inline void filter_luma_sample(const LineFilter& filter, std::uint8_t* q,
                                                 std::ptrdiff_t across) {
  filter_sample(filter, /*is_luma=*/true, q, across);
}
MILLRACE_FUNCTION inline void filter_chroma_sample(const LineFilter& filter, std::uint8_t* q,
                                                   std::ptrdiff_t across) {
  filter_sample(filter, /*is_luma=*/false, q, across);
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_DEBLOCKING_FILTER_H_
