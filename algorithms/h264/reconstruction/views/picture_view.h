// SPDX-License-Identifier: Apache-2.0

// A parsed picture and its references as plain pointers, for code of the host and of GPUs that
// reconstructs one macroblock at a time. All memory belongs to the caller, who has checked sizes:
// planes are those of SamplePicture.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_VIEWS_PICTURE_VIEW_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_VIEWS_PICTURE_VIEW_H_

#include <millrace/algorithms/h264/coded_coefficient.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/slice.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

inline constexpr int kMostReferences = 32;  // Limit of one list.

// Weighted prediction of a slice (clause 8.4.2.3).
enum class Weighting : std::uint8_t { kNone, kExplicit, kImplicit };

struct ReferenceView {
  const std::uint8_t* planes[3];
  std::int32_t identity;  // Equal for entries that are the same picture, also across slices.
};

// The identity of a reference that is not used. Those of pictures are not negative.
inline constexpr std::int32_t kNoPicture = -1;

// The data of a slice that reconstruction reads.
struct SliceView {
  const ReferenceView* references[2];
  const PredictionWeight* weights[2];    // The references'; explicit ones alone.
  const std::int16_t* implicit_weights;  // Weights of list 1, at counts[1] * index into list 0 +
                                         // index into list 1; implicit ones alone.
  std::uint8_t counts[2];                // Number of references, 1 at least.
  Weighting weighting;
  std::uint8_t weight_shifts[3];  // Y, Cb, Cr; of explicit weights.
  std::uint8_t deblocking;        // disable_deblocking_filter_idc
  std::int8_t alpha_offset, beta_offset;
  std::int8_t chroma_qp_offsets[2];
  bool has_constrained_intra_prediction;
  bool is_b;  // A B slice, whose skipped macroblocks may have several motions.

  // Returns an entry of a reference list; that of an index beyond it is the first one.
  MILLRACE_FUNCTION const ReferenceView& reference(int list, int index) const {
    return references[list][index < counts[list] ? index : 0];
  }
};

struct PictureView {
  int columns;  // Number of macroblocks in a row.
  int rows;
  const Macroblock* macroblocks;
  const CodedCoefficient* coefficients;        // Coefficients of all macroblocks.
  const CoefficientRange* coefficient_ranges;  // Indexed by macroblock. Null: all are 0.
  const SliceView* slices;
  const std::uint8_t* concealment[3];  // Planes from which lost macroblocks are copied.
  std::uint8_t* planes[3];             // The samples that are reconstructed.

  MILLRACE_FUNCTION int index(int column, int row) const { return row * columns + column; }
  MILLRACE_FUNCTION int width(int plane) const { return plane == 0 ? 16 * columns : 8 * columns; }
  MILLRACE_FUNCTION int height(int plane) const { return plane == 0 ? 16 * rows : 8 * rows; }
  MILLRACE_FUNCTION std::ptrdiff_t stride(int plane) const { return width(plane); }

  // Returns the coefficients of a macroblock that are not 0.
  MILLRACE_FUNCTION CoefficientView coefficients_of(int index) const {
    if (coefficient_ranges == nullptr) return {};
    const CoefficientRange range = coefficient_ranges[index];
    return {coefficients + range.first, range.count};
  }

  // Returns the offset of a macroblock's first sample.
  MILLRACE_FUNCTION std::ptrdiff_t offset(int plane, int column, int row) const {
    const int side = plane == 0 ? 16 : 8;
    return side * (row * stride(plane) + column);
  }
};

MILLRACE_FUNCTION constexpr std::uint8_t clip_sample(int value) {
  return static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
}

MILLRACE_FUNCTION constexpr int clip(int low, int high, int value) {
  return value < low ? low : value > high ? high : value;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_VIEWS_PICTURE_VIEW_H_
