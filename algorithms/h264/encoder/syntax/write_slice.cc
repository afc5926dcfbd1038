// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/bitstream/writers/nal_unit_writer.h>
#include <millrace/algorithms/h264/bitstream/writers/syntax_writer.h>
#include <millrace/algorithms/h264/encoder/syntax/cabac_coder.h>
#include <millrace/algorithms/h264/encoder/syntax/cavlc_coder.h>
#include <millrace/algorithms/h264/encoder/syntax/slice_data_syntax.h>
#include <millrace/algorithms/h264/encoder/syntax/write_slice.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_encoder.h>

namespace millrace::h264 {

std::vector<std::uint8_t> write_slice(const SliceHeader& header, const SequenceParameters& sequence,
                                      const PictureParameters& picture,
                                      const SliceMacroblocks& macroblocks) {
  const SliceSyntax slice = slice_syntax(header, picture);
  const int width = sequence.width_in_macroblocks;
  const auto after_macroblock = [](int) {};
  BitWriter writer;
  write_slice_header(writer, header, sequence, picture);
  if (picture.is_cabac) {
    CabacEncoder encoder(writer, header.type, header.cabac_table, header.qp);
    CabacCoder<CabacEncoder> coder(kCabacTables, encoder);
    write_slice_data(header, slice, width, macroblocks, coder, after_macroblock);
    writer.align();
  } else {
    CavlcCoder<BitWriter> coder(kCavlcCodes, writer);
    write_slice_data(header, slice, width, macroblocks, coder, after_macroblock);
    writer.trailing_bits();
  }
  return make_nal_unit(header.nal_reference, header.nal_unit_type, writer.bytes());
}

}  // namespace millrace::h264
