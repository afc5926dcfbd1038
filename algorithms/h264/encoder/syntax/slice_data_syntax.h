// SPDX-License-Identifier: Apache-2.0

// Writes slice_data() of I and P slices (ITU-T H.264 clause 7.3.4), or counts its bits.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_SLICE_DATA_SYNTAX_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_SLICE_DATA_SYNTAX_H_

#include <millrace/algorithms/h264/encoder/syntax/coded_border.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_syntax.h>
#include <millrace/algorithms/h264/encoder/syntax/slice_neighbours.h>
#include <millrace/algorithms/h264/encoder/syntax/write_slice.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/slice.h>

#include <cstddef>
#include <vector>

namespace millrace::h264 {

inline SliceSyntax slice_syntax(const SliceHeader& header, const PictureParameters& picture) {
  return {.type = header.type,
          .reference_count = header.reference_counts[0],
          .has_8x8_transform = picture.has_8x8_transform,
          .has_constrained_intra_prediction = picture.has_constrained_intra_prediction};
}

// Writes all macroblocks of a slice to the coder, up to the stop bit in CABAC, up to the trailing
// bits in CAVLC. `width` is that of the picture in macroblocks. Calls after_macroblock(address)
// behind each.
template <class Coder, class AfterMacroblock>
void write_slice_data(const SliceHeader& header, const SliceSyntax& slice, int width,
                      const SliceMacroblocks& input, Coder& coder,
                      const AfterMacroblock& after_macroblock) {
  MacroblockSyntax<Coder> syntax(slice, coder);
  SyntaxState state{.qp = header.qp};
  // The border of the last macroblock of each column.
  std::vector<CodedBorder> borders(static_cast<std::size_t>(width));
  for (int k = 0; k < input.count; ++k) {
    const int address = header.first_macroblock + k;
    const Neighbours around = neighbours_of(input.macroblocks, width, address);
    CodedBorder* const here = borders.data() + address % width;
    const BordersAround borders_around = {around.left != nullptr ? here - 1 : nullptr,
                                          around.above != nullptr ? here : nullptr};
    CodedBorder border;
    syntax.write(around, borders_around, input.levels[address], state, border);
    *here = border;
    if constexpr (Coder::kIsCabac) {
      coder.end_of_slice(k + 1 == input.count);
    }
    after_macroblock(address);
  }
  syntax.finish_slice(state);
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_SLICE_DATA_SYNTAX_H_
