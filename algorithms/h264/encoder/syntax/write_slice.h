// SPDX-License-Identifier: Apache-2.0

// Writes slices of I and P pictures (ITU-T H.264 clause 7.3.4) from decisions and levels.
//
//   const std::vector<std::uint8_t> unit = write_slice(header, sequence, picture, macroblocks);
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_WRITE_SLICE_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_WRITE_SLICE_H_

#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/slice.h>

#include <cstdint>
#include <vector>

namespace millrace::h264 {

// The macroblocks of one slice, `count` of them from the header's first_macroblock on. Both arrays
// are those of the picture, in raster order. Not owned.
struct SliceMacroblocks {
  // The writer reads type, has_8x8_transform, coded_block_pattern, qp, intra_chroma_mode, slice,
  // intra_modes, sub_partitions, references[0] and vectors[0]. They are as a parser of the slice
  // finds them: kSkip has the predicted vector and no pattern, kPcm the pattern 0x2f, and
  // has_8x8_transform is false in an inter macroblock without coded luma. In CABAC an 8x8 block
  // that is coded has a level that is not 0. `slice` states which macroblocks are neighbours.
  const Macroblock* macroblocks = nullptr;
  const MacroblockLevels* levels = nullptr;
  int count = 0;
};

// Returns a NAL unit with emulation prevention, without a start code. Vector differences, predicted
// intra modes, nC, skip runs and QP differences are derived from the decisions. A QP that no
// mb_qp_delta codes is not read. Any thread may call it.
std::vector<std::uint8_t> write_slice(const SliceHeader& header, const SequenceParameters& sequence,
                                      const PictureParameters& picture,
                                      const SliceMacroblocks& macroblocks);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_WRITE_SLICE_H_
