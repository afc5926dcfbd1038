// SPDX-License-Identifier: Apache-2.0

// Inter prediction of one block from one reference picture (ITU-T H.264 clause 8.4.2.2): luma at
// quarter samples by a filter of six taps, chroma at eighths by bilinear weights. References
// continue beyond their edges with the samples at the edge, however far a vector points.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_INTER_PREDICTION_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_INTER_PREDICTION_H_

#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Lanes that share a macroblock are this many, or a multiple of it.
inline constexpr int kLeastLanes = 32;

inline constexpr int kTapsBefore = 2;  // Samples that the filter reads before a position,
inline constexpr int kTapsAfter = 3;   // and after it.

// Returns the index into a list by which an 8x8 block of a macroblock is predicted, or -1. A
// damaged index becomes 0. A block without a reference takes index 0 of list 0.
MILLRACE_FUNCTION inline int reference_index(const SliceView& slice, const Macroblock& macroblock,
                                             int list, int quarter) {
  const int index = macroblock.references[list][quarter];
  if (list == 0 && index < 0 && macroblock.references[1][quarter] < 0) return 0;
  return index < slice.counts[list] ? index : 0;
}

// Samples of a reference and the distance of its rows.
struct SampleRows {
  const std::uint8_t* samples;
  std::ptrdiff_t stride;
};

// The samples of a block that is written, and the distance of its rows.
struct BlockSamples {
  std::uint8_t* samples;
  std::ptrdiff_t stride;
  int width;
  int height;
};

// A block of a reference with the samples around it that filters read, where those at its position
// may lie outside the picture.
struct BorderedBlock {
  static constexpr int kSide = 16 + kTapsBefore + kTapsAfter;
  std::uint8_t samples[kSide * kSide];
};

// A rectangle of samples of a plane, at (x, y), that a vector predicts from a reference.
struct PredictedBlock {
  int plane = 0;
  int x = 0, y = 0;
  int width = 0, height = 0;
  MotionVector vector = {};
};

// A block of a plane, at (x, y), and the samples around it that a filter reads.
struct FilteredBlock {
  int x, y;
  int width, height;
  int before = 0;  // Samples to the left and above.
  int after = 0;   // Samples to the right and below.
};

// Returns the samples of a block of a plane, which those around it precede and follow. Copies them
// to the memory of the kernels if some are outside of the plane.
template <class Kernels>
MILLRACE_FUNCTION inline SampleRows rows_at(const Kernels& kernels, const std::uint8_t* plane,
                                            int plane_width, int plane_height,
                                            const FilteredBlock& block) {
  const auto [x, y, width, height, before, after] = block;
  const bool is_inside = x >= before && y >= before && x + width + after <= plane_width &&
                         y + height + after <= plane_height;
  if (is_inside) return {plane + static_cast<std::ptrdiff_t>(y) * plane_width + x, plane_width};
  // Columns up to `left` lie before the plane, those from `right` on behind it.
  const int first = x - before;
  const int columns = width + before + after;
  const int left = clip(0, columns, -first);
  const int right = clip(left, columns, plane_width - first);
  std::uint8_t* const copy = kernels.memory().prediction.bordered.samples;
  kernels.sync();  // Lanes may still read what it has.
  for (int row = kernels.lane(); row < height + before + after; row += kernels.lanes()) {
    const int from = clip(0, plane_height - 1, y - before + row);
    const std::uint8_t* const line = plane + static_cast<std::ptrdiff_t>(from) * plane_width;
    std::uint8_t* const to = copy + row * BorderedBlock::kSide;
    for (int column = 0; column < left; ++column) to[column] = line[0];
    for (int column = left; column < right; ++column) to[column] = line[first + column];
    for (int column = right; column < columns; ++column) to[column] = line[plane_width - 1];
  }
  kernels.sync();
  return {copy + before * BorderedBlock::kSide + before, BorderedBlock::kSide};
}

// The filter of six taps around p and the sample after it, not yet divided by 32.
template <class Sample>
MILLRACE_FUNCTION inline int six_taps(const Sample* p, std::ptrdiff_t step) {
  return p[-2 * step] - 5 * p[-step] + 20 * p[0] + 20 * p[step] - 5 * p[2 * step] + p[3 * step];
}

// The half samples of the standard's Figure 8-4, by the full sample p to their upper left: b to the
// right of it, h below it, j below and to the right.
MILLRACE_FUNCTION inline int half_sample_b(const std::uint8_t* p) {
  return clip_sample((six_taps(p, 1) + 16) >> 5);
}
MILLRACE_FUNCTION inline int half_sample_h(const std::uint8_t* p, std::ptrdiff_t stride) {
  return clip_sample((six_taps(p, stride) + 16) >> 5);
}
MILLRACE_FUNCTION inline int half_sample_j(const std::uint8_t* p, std::ptrdiff_t stride) {
  const int sum = six_taps(p - 2 * stride, 1) - 5 * six_taps(p - stride, 1) + 20 * six_taps(p, 1) +
                  20 * six_taps(p + stride, 1) - 5 * six_taps(p + 2 * stride, 1) +
                  six_taps(p + 3 * stride, 1);
  return clip_sample((sum + 512) >> 10);
}

// Returns the luma sample that is (x, y) quarters, 0 to 3, from the full sample p (Table 8-12). A
// quarter sample is the mean of the two samples nearest to it at full and half positions; those on
// the diagonals lie between b or the b below, and h or the h to the right.
MILLRACE_FUNCTION inline int luma_sample(const std::uint8_t* p, std::ptrdiff_t stride, int x,
                                         int y) {
  const std::uint8_t* const right = x == 3 ? p + 1 : p;
  const std::uint8_t* const below = y == 3 ? p + stride : p;
  if (x == 0 && y == 0) return *p;
  if (y == 0) return x == 2 ? half_sample_b(p) : (half_sample_b(p) + *right + 1) >> 1;
  if (x == 0) {
    return y == 2 ? half_sample_h(p, stride) : (half_sample_h(p, stride) + *below + 1) >> 1;
  }
  if (x == 2 && y == 2) return half_sample_j(p, stride);
  if (x == 2) return (half_sample_j(p, stride) + half_sample_b(below) + 1) >> 1;
  if (y == 2) return (half_sample_j(p, stride) + half_sample_h(right, stride) + 1) >> 1;
  return (half_sample_b(below) + half_sample_h(right, stride) + 1) >> 1;
}

// Returns the chroma sample that is (x, y) eighths, 0 to 7, from the full sample p (clause
// 8.4.2.2.2).
MILLRACE_FUNCTION inline int chroma_sample(const std::uint8_t* p, std::ptrdiff_t stride, int x,
                                           int y) {
  return ((8 - x) * (8 - y) * p[0] + x * (8 - y) * p[1] + (8 - x) * y * p[stride] +
          x * y * p[stride + 1] + 32) >>
         6;
}

// Predicts a block. Vectors of luma are in quarters of a sample, those of chroma in eighths.
template <class Kernels>
MILLRACE_NOINLINE_FUNCTION inline void predict_from(const Kernels& kernels,
                                                    const PictureView& picture,
                                                    const ReferenceView& reference,
                                                    PredictedBlock block, std::uint8_t* to,
                                                    std::ptrdiff_t stride) {
  const auto [plane, x, y, width, height, vector] = block;
  const int fraction_bits = plane == 0 ? 2 : 3;
  const int mask = (1 << fraction_bits) - 1;
  const int x_fraction = vector.x & mask;
  const int y_fraction = vector.y & mask;
  const SampleRows from =
      rows_at(kernels, reference.planes[plane], picture.width(plane), picture.height(plane),
              {x + (vector.x >> fraction_bits), y + (vector.y >> fraction_bits), width, height,
               plane == 0 ? kTapsBefore : 0, plane == 0 ? kTapsAfter : 1});
  const BlockSamples written = {.samples = to, .stride = stride, .width = width, .height = height};
  if (plane == 0) {
    kernels.predict_luma(from, x_fraction, y_fraction, written);
  } else {
    kernels.predict_chroma(from, x_fraction, y_fraction, written);
  }
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_INTER_PREDICTION_H_
