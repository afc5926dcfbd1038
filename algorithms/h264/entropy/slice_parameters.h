// SPDX-License-Identifier: Apache-2.0

// The parser of a slice's macroblocks reads its picture through these plain values.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_PARAMETERS_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_PARAMETERS_H_

#include <millrace/algorithms/h264/coded_coefficient.h>
#include <millrace/algorithms/h264/entropy/level_scales.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/slice.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// References of one slice of the colocated picture, by list and index: the index in list 0 of the
// current slice that temporal direct prediction uses (refIdxL0 of clause 8.4.1.2.3).
struct ColocatedReferences {
  std::int8_t indices[2][32];
};

// Numbers of coefficients, or coded block flags, on the edge of a macroblock that its neighbour
// sees: the bottom row or the right column.
struct CodedEdge {
  std::uint8_t luma[4];
  std::uint8_t chroma[2][2];
  std::uint8_t has_dc;  // Coded block flags of DC: bit 0 luma, bits 1 and 2 Cb and Cr.

  MILLRACE_FUNCTION void clear_chroma() {
    for (int k = 0; k < 4; ++k) chroma[k >> 1][k & 1] = 0;
  }
};

// Pointers are not owned.
struct SliceParameters {
  Macroblock* macroblocks = nullptr;               // The picture's.
  bool are_macroblocks_clear = false;              // Macroblocks of no slice are Macroblock{}.
  CoefficientRange* coefficient_ranges = nullptr;  // The picture's, or null: not wanted.
  CodedCoefficient* coefficients = nullptr;        // The slice's.
  std::size_t coefficient_capacity = 0;            // The slice's: most_coefficients().
  std::uint32_t first_coefficient = 0;             // Index of the slice's first in the picture.
  int width = 0;                                   // Counted in macroblocks.
  int height = 0;
  int first_macroblock = 0;
  std::uint16_t slice = 0;
  SliceType type = SliceType::kI;
  int qp = 26;
  int chroma_qp_offsets[2] = {0, 0};
  int reference_counts[2] = {0, 0};
  bool has_8x8_transform = false;
  bool has_direct_8x8_inference = false;
  bool has_constrained_intra_prediction = false;
  bool is_direct_spatial = false;
  const LevelScales* scales = nullptr;
  const ScanOffsets* scans = nullptr;
  CodedEdge* edges_above = nullptr;  // `width` of them, for the parser to use.
  // Direct prediction.
  const Macroblock* colocated = nullptr;  // RefPicList1[0]'s, `width` x `height`, or null.
  bool colocated_is_long_term = false;
  const ColocatedReferences* colocated_references = nullptr;  // Indexed by slice of that picture.
  int colocated_slices = 0;
  // DistScaleFactor by index in list 0; 256 where the vector is used as it is.
  std::int16_t distance_scales[32] = {};
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_PARAMETERS_H_
