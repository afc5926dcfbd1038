// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/encoder/slice_writer.h>

#include <millrace/algorithms/h264/bitstream/bit_writer.h>
#include <millrace/algorithms/h264/bitstream/nal_unit_writer.h>
#include <millrace/algorithms/h264/bitstream/syntax_writer.h>
#include <millrace/algorithms/h264/encoder/cabac_coder.h>
#include <millrace/algorithms/h264/encoder/cavlc_coder.h>
#include <millrace/algorithms/h264/encoder/coded_border.h>
#include <millrace/algorithms/h264/encoder/macroblock_syntax.h>
#include <millrace/algorithms/h264/encoder/slice_neighbours.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_encoder.h>

#include <cstddef>

namespace millrace::h264 {
namespace {

// Writes slice_data(), up to its stop bit in CABAC.
template <class Coder>
void write_slice_data(const SliceHeader& header, const SliceSyntax& slice, int width,
                      const SliceMacroblocks& input, Coder& coder) {
  MacroblockSyntax<Coder> syntax(slice, coder);
  SyntaxState state{.qp = header.qp};
  // By column, of the last macroblock there.
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
  }
  syntax.finish_slice(state);
}

}  // namespace

std::vector<std::uint8_t> write_slice(const SliceHeader& header, const SequenceParameters& sequence,
                                      const PictureParameters& picture,
                                      const SliceMacroblocks& macroblocks) {
  const SliceSyntax slice = {
      .type = header.type,
      .reference_count = header.reference_counts[0],
      .has_8x8_transform = picture.has_8x8_transform,
      .has_constrained_intra_prediction = picture.has_constrained_intra_prediction};
  const int width = sequence.width_in_macroblocks;
  BitWriter writer;
  write_slice_header(writer, header, sequence, picture);
  if (picture.is_cabac) {
    CabacEncoder encoder(writer, header.type, header.cabac_table, header.qp);
    CabacCoder<CabacEncoder> coder(kCabacTables, encoder);
    write_slice_data(header, slice, width, macroblocks, coder);
    writer.align();
  } else {
    CavlcCoder<BitWriter> coder(kCavlcCodes, writer);
    write_slice_data(header, slice, width, macroblocks, coder);
    writer.trailing_bits();
  }
  return make_nal_unit(header.nal_reference, header.nal_unit_type, writer.bytes());
}

}  // namespace millrace::h264
