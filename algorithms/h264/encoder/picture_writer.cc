// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/bitstream/writers/syntax_writer.h>
#include <millrace/algorithms/h264/encoder/picture_writer.h>
#include <millrace/algorithms/h264/encoder/syntax/write_slice.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::h264 {
namespace {

void append_unit(std::vector<std::uint8_t>& bytes, std::span<const std::uint8_t> unit) {
  bytes.insert(bytes.end(), {0, 0, 0, 1});
  bytes.insert(bytes.end(), unit.begin(), unit.end());
}

}  // namespace

CodedPicture PictureWriter::write(const WrittenPicture& picture) const {
  CodedPicture coded;
  coded.type = picture.references > 0 ? SliceType::kP : SliceType::kI;
  coded.qp = picture.qp;
  SliceHeader header;
  header.nal_unit_type = picture.number == 0 ? 5 : 1;
  header.nal_reference = picture.number == 0 ? 3 : 2;
  header.type = coded.type;
  header.frame_number = picture.number % (1 << sequence_.log2_max_frame_number);
  header.idr_id = picture.idr_id;
  header.reference_counts[0] = picture.references;
  header.qp = picture.qp;
  header.deblocking = options_.has_deblocking ? 0 : 1;
  if (picture.number == 0) {
    append_unit(coded.bytes, sequence_nal_unit(sequence_));
    append_unit(coded.bytes, picture_nal_unit(picture_));
  }
  write_slices(picture, header, coded);
  return coded;
}

void PictureWriter::write_slices(const WrittenPicture& picture, const SliceHeader& first,
                                 CodedPicture& coded) const {
  const int count = sequence_.macroblock_count();
  for (int begin = 0; begin < count;) {
    int end = begin;
    const std::uint16_t slice = picture.macroblocks[begin].slice;
    while (end < count && picture.macroblocks[end].slice == slice) ++end;
    SliceHeader header = first;
    header.first_macroblock = begin;
    append_unit(coded.bytes, write_slice(header, sequence_, picture_,
                                         {picture.macroblocks, picture.levels, end - begin}));
    begin = end;
  }
}

}  // namespace millrace::h264
