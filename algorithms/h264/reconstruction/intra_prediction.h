// SPDX-License-Identifier: Apache-2.0

// Intra prediction of blocks from samples beside them (ITU-T H.264 clauses 8.3.1.2, 8.3.2.2, 8.3.3
// and 8.3.4). A block's neighbours are copied into an edge first; where they are not available
// (clause 6.4.12) the edge holds 128, so that damaged modes are harmless.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_INTRA_PREDICTION_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_INTRA_PREDICTION_H_

#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Modes of 4x4 and 8x8 blocks (Tables 8-2 and 8-3).
enum IntraMode : std::uint8_t {
  kIntraVertical,
  kIntraHorizontal,
  kIntraDc,
  kIntraDiagonalDownLeft,
  kIntraDiagonalDownRight,
  kIntraVerticalRight,
  kIntraHorizontalDown,
  kIntraVerticalLeft,
  kIntraHorizontalUp,
};

// Modes of 16x16 macroblocks (Table 8-4).
enum Intra16x16Mode : std::uint8_t {
  kIntra16x16Vertical,
  kIntra16x16Horizontal,
  kIntra16x16Dc,
  kIntra16x16Plane,
};

// Modes of chroma (Table 8-5).
enum IntraChromaMode : std::uint8_t {
  kIntraChromaDc,
  kIntraChromaHorizontal,
  kIntraChromaVertical,
  kIntraChromaPlane,
};

// Neighbours that a block may be predicted from.
struct IntraAvailability {
  bool left = false;
  bool top = false;
  bool top_left = false;
  bool top_right = false;
};

// The samples around an n x n block in one line: from the lowest on the left, up to the corner, and
// on to the right along the row above.
template <int n>
struct IntraEdge {
  static constexpr int kCorner = n;
  std::uint8_t line[3 * n + 2];  // The last one repeats the one before it.
  IntraAvailability available;

  MILLRACE_FUNCTION std::uint8_t& left(int y) { return line[n - 1 - y]; }
  MILLRACE_FUNCTION std::uint8_t& top(int x) { return line[n + 1 + x]; }
  MILLRACE_FUNCTION int left(int y) const { return line[n - 1 - y]; }
  MILLRACE_FUNCTION int top(int x) const { return line[n + 1 + x]; }

  // Means of two and three samples of the line, the latter with the weights 1, 2, 1.
  MILLRACE_FUNCTION int mean2(int i) const { return (line[i] + line[i + 1] + 1) >> 1; }
  MILLRACE_FUNCTION int mean3(int i) const {
    return (line[i - 1] + 2 * line[i] + line[i + 1] + 2) >> 2;
  }
};

// Returns sample `i` of the line around the n x n block at `block`. Samples above and to the right
// that are not available are the last one above.
template <int n>
MILLRACE_FUNCTION inline std::uint8_t edge_sample(const std::uint8_t* block, std::ptrdiff_t stride,
                                                  IntraAvailability available, int i) {
  constexpr int kCorner = IntraEdge<n>::kCorner;
  if (i < kCorner) return available.left ? block[(n - 1 - i) * stride - 1] : 128;
  if (i == kCorner) return available.top_left ? block[-stride - 1] : 128;
  if (!available.top) return 128;
  const int x = i - kCorner - 1;
  const int last = available.top_right ? 2 * n - 1 : n - 1;
  return block[(x < last ? x : last) - stride];
}

// Copies the neighbours of the block at `block`.
template <int n>
MILLRACE_FUNCTION inline IntraEdge<n> load_intra_edge(const std::uint8_t* block,
                                                      std::ptrdiff_t stride,
                                                      IntraAvailability available) {
  IntraEdge<n> edge;
  edge.available = available;
  if (available.left) {
    for (int y = 0; y < n; ++y) edge.left(y) = block[y * stride - 1];
  } else {
    for (int y = 0; y < n; ++y) edge.left(y) = 128;
  }
  for (int i = n; i <= 2 * n; ++i) edge.line[i] = edge_sample<n>(block, stride, available, i);
  if (available.top && available.top_right) {
    for (int x = n; x < 2 * n; ++x) edge.top(x) = block[x - stride];
  } else {
    const std::uint8_t last = edge.top(n - 1);
    for (int x = n; x < 2 * n; ++x) edge.top(x) = last;
  }
  edge.line[3 * n + 1] = edge.line[3 * n];
  return edge;
}

// Returns sample `i` of the edge of an 8x8 block after the reference sample filtering of clause
// 8.3.2.2.1.
MILLRACE_FUNCTION inline std::uint8_t filtered_edge_sample(const IntraEdge<8>& edge, int i) {
  constexpr int kCorner = IntraEdge<8>::kCorner;
  constexpr int kLast = 24;  // The one behind repeats it.
  const IntraAvailability available = edge.available;
  const auto mean31 = [&edge](int at, int beside) {
    return static_cast<std::uint8_t>((3 * edge.line[at] + edge.line[beside] + 2) >> 2);
  };
  if (i > kCorner) {
    if (!available.top) return edge.line[i];
    if (i >= kLast) return mean31(kLast, kLast - 1);
    if (i == kCorner + 1 && !available.top_left) return mean31(i, i + 1);
  } else if (i < kCorner) {
    if (!available.left) return edge.line[i];
    if (i == 0) return mean31(0, 1);
    if (i == kCorner - 1 && !available.top_left) return mean31(i, i - 1);
  } else {
    if (!available.top_left || (!available.top && !available.left)) return edge.line[i];
    if (!available.left) return mean31(i, i + 1);
    if (!available.top) return mean31(i, i - 1);
  }
  return static_cast<std::uint8_t>(edge.mean3(i));
}

// Returns the edge of an 8x8 block after that filtering.
MILLRACE_FUNCTION inline IntraEdge<8> filter_intra_edge(const IntraEdge<8>& edge) {
  IntraEdge<8> filtered;
  filtered.available = edge.available;
  for (int i = 0; i < 26; ++i) filtered.line[i] = filtered_edge_sample(edge, i);
  return filtered;
}

// Returns the mean of n samples above and n on the left of a block, or of those available.
template <int n>
MILLRACE_FUNCTION inline int intra_dc(const IntraEdge<n>& edge) {
  int above = 0;
  int left = 0;
  for (int i = 0; i < n; ++i) {
    above += edge.top(i);
    left += edge.left(i);
  }
  if (edge.available.top && edge.available.left) return (above + left + n) / (2 * n);
  if (edge.available.top) return (above + n / 2) / n;
  if (edge.available.left) return (left + n / 2) / n;
  return 128;
}

// Returns sample (x, y) of an n x n block in any mode but kIntraDc. The clauses' cases by zVR, zHD
// and zHU are positions along the edge here.
template <int n>
MILLRACE_FUNCTION inline int intra_sample(const IntraEdge<n>& edge, int mode, int x, int y) {
  const int c = IntraEdge<n>::kCorner;
  switch (mode) {
    case kIntraVertical: return edge.top(x);
    case kIntraHorizontal: return edge.left(y);
    case kIntraDiagonalDownLeft: return edge.mean3(c + 2 + x + y);
    case kIntraDiagonalDownRight: return edge.mean3(c + x - y);
    case kIntraVerticalRight: {
      const int z = 2 * x - y;
      const int i = c + x - (y >> 1);
      if (z < -1) return edge.mean3(c + 1 + z);
      return z & 1 ? edge.mean3(i) : edge.mean2(i);
    }
    case kIntraHorizontalDown: {
      const int z = 2 * y - x;
      const int i = c - y + (x >> 1);
      if (z < -1) return edge.mean3(c - 1 - z);
      return z & 1 ? edge.mean3(i) : edge.mean2(i - 1);
    }
    case kIntraVerticalLeft: {
      const int i = c + 1 + x + (y >> 1);
      return y & 1 ? edge.mean3(i + 1) : edge.mean2(i);
    }
    case kIntraHorizontalUp: {
      const int z = x + 2 * y;
      const int i = n - 1 - y - (x >> 1);  // The sample on the left; the line goes upwards.
      if (z > 2 * n - 3) return edge.left(n - 1);
      if (z == 2 * n - 3) return (edge.left(n - 2) + 3 * edge.left(n - 1) + 2) >> 2;
      return z & 1 ? edge.mean3(i - 1) : edge.mean2(i - 1);
    }
    default: return 128;
  }
}

// Plane prediction of an n x n block: 16x16 luma or 8x8 chroma (clauses 8.3.3.4 and 8.3.4.4).
template <class Kernels, int n>
MILLRACE_FUNCTION inline void predict_intra_plane(const Kernels& kernels, const IntraEdge<n>& edge,
                                                  std::uint8_t* block, std::ptrdiff_t stride) {
  constexpr int kHalf = n / 2;
  constexpr int kFactor = n == 16 ? 5 : 34;
  int horizontal = 0;
  int vertical = 0;
  for (int i = 1; i <= kHalf; ++i) {
    const int before = kHalf - 1 - i;  // -1 is the corner.
    horizontal += i * (edge.top(kHalf - 1 + i) - edge.top(before));
    vertical += i * (edge.left(kHalf - 1 + i) - edge.left(before));
  }
  const int a = 16 * (edge.left(n - 1) + edge.top(n - 1));
  const int b = (kFactor * horizontal + 32) >> 6;
  const int c = (kFactor * vertical + 32) >> 6;
  kernels.for_each_sample(n, n, [=](int y, int x) {
    block[y * stride + x] = clip_sample((a + b * (x - kHalf + 1) + c * (y - kHalf + 1) + 16) >> 5);
  });
}

// Predicts the luma of a kIntra16x16 macroblock.
template <class Kernels>
MILLRACE_NOINLINE_FUNCTION inline void predict_intra_16x16(const Kernels& kernels,
                                                           const IntraEdge<16>& edge, int mode,
                                                           std::uint8_t* block,
                                                           std::ptrdiff_t stride) {
  if (mode == kIntra16x16Plane) {
    predict_intra_plane(kernels, edge, block, stride);
    return;
  }
  const bool is_directed = mode == kIntra16x16Vertical || mode == kIntra16x16Horizontal;
  const int dc = is_directed ? 0 : intra_dc(edge);
  kernels.for_each_sample(16, 16, [&](int y, int x) {
    const int sample = mode == kIntra16x16Vertical     ? edge.top(x)
                       : mode == kIntra16x16Horizontal ? edge.left(y)
                                                       : dc;
    block[y * stride + x] = static_cast<std::uint8_t>(sample);
  });
}

// Returns the DC prediction of the 4x4 block at (x, y), 0 or 4 each, of an 8x8 chroma block (clause
// 8.3.4.1). The two blocks on the diagonal use both neighbours, the others prefer one.
MILLRACE_FUNCTION inline int intra_chroma_dc(const IntraEdge<8>& edge, int x, int y) {
  int above = 0;
  int left = 0;
  for (int i = 0; i < 4; ++i) {
    above += edge.top(x + i);
    left += edge.left(y + i);
  }
  const IntraAvailability available = edge.available;
  if (x == y && available.top && available.left) return (above + left + 4) >> 3;
  const bool prefers_left = x < y;
  if (available.top && !(prefers_left && available.left)) return (above + 2) >> 2;
  if (available.left) return (left + 2) >> 2;
  return 128;
}

// Predicts one chroma component of an intra macroblock.
template <class Kernels>
MILLRACE_NOINLINE_FUNCTION inline void predict_intra_chroma(const Kernels& kernels,
                                                            const IntraEdge<8>& edge, int mode,
                                                            std::uint8_t* block,
                                                            std::ptrdiff_t stride) {
  if (mode == kIntraChromaPlane) {
    predict_intra_plane(kernels, edge, block, stride);
    return;
  }
  const bool is_directed = mode == kIntraChromaVertical || mode == kIntraChromaHorizontal;
  int dc[4] = {};
  for (int quarter = 0; quarter < 4 && !is_directed; ++quarter) {
    dc[quarter] = intra_chroma_dc(edge, 4 * (quarter % 2), 4 * (quarter / 2));
  }
  kernels.for_each_sample(8, 8, [&](int y, int x) {
    const int sample = mode == kIntraChromaVertical     ? edge.top(x)
                       : mode == kIntraChromaHorizontal ? edge.left(y)
                                                        : dc[2 * (y / 4) + x / 4];
    block[y * stride + x] = static_cast<std::uint8_t>(sample);
  });
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_INTRA_PREDICTION_H_
