// SPDX-License-Identifier: Apache-2.0

// Scaling matrices as parameter sets code them (ITU-T H.264 clauses 7.3.2.1.1.1, 7.4.2.1.1.1 and
// 8.5.6).
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_SCALING_MATRIX_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_SCALING_MATRIX_H_

#include <millrace/algorithms/h264/bitstream/bit_reader.h>
#include <millrace/algorithms/h264/bitstream/syntax_fault.h>
#include <millrace/algorithms/h264/parameter_sets.h>

#include <array>
#include <cstdint>

namespace millrace::h264 {

inline constexpr int kScalingLists = 8;  // Six of 4x4 and, for 4:2:0, two of 8x8.

// The lists that a parameter set codes, in raster order, before fall-back rules.
struct ScalingMatrix {
  enum class Source : std::uint8_t { kFallback, kDefault, kCoded };

  bool is_present = false;  // seq_ or pic_scaling_matrix_present_flag
  std::array<Source, kScalingLists> sources = {};
  ScalingLists coded = {};
};

// Parses `list_count` lists, 6 or 8; the others fall back.
SyntaxCheck parse_scaling_matrix(BitReader& reader, int list_count, ScalingMatrix& matrix);

// Flat_4x4_16 and Flat_8x8_16.
ScalingLists flat_scaling_lists();

// Returns the lists of a sequence: fall-back rule set A; flat where no matrix is present.
ScalingLists sequence_scaling_lists(const ScalingMatrix& matrix);

// Returns the lists of a picture: fall-back rule set B, or A where the sequence has no matrix; the
// sequence's lists where no matrix is present.
ScalingLists picture_scaling_lists(const ScalingMatrix& matrix, const ScalingLists& sequence,
                                   bool sequence_has_matrix);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_SCALING_MATRIX_H_
