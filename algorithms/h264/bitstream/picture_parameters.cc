// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/picture_parameters.h>

#include <cstdint>
#include <string>

namespace millrace::h264 {
namespace {

SyntaxCheck parse_chroma_offset(BitReader& reader, int& offset) {
  offset = reader.se();
  if (offset >= -12 && offset <= 12) return std::nullopt;
  return damaged("a chroma QP offset is " + std::to_string(offset) + "; it must be in -12..12");
}

}  // namespace

SyntaxCheck parse_picture_parameters(BitReader& reader, CodedPictureParameters& coded) {
  PictureParameters& parameters = coded.parameters;
  parameters.id = -1;
  const std::uint32_t id = reader.ue();
  const std::uint32_t sequence_id = reader.ue();
  if (reader.failed()) return damaged("the set ends before its ids");
  if (id > 255 || sequence_id > 31) {
    return damaged("the ids are " + std::to_string(id) + " and, of the sequence, " +
                   std::to_string(sequence_id) + "; they must be below 256 and 32");
  }
  parameters.id = static_cast<int>(id);
  parameters.sequence_id = static_cast<int>(sequence_id);
  parameters.is_cabac = reader.flag();
  parameters.has_picture_order_in_slices = reader.flag();
  const std::uint32_t slice_groups = reader.ue();
  if (slice_groups > 7) {
    return damaged("num_slice_groups_minus1 is " + std::to_string(slice_groups) +
                   "; it must be in 0..7");
  }
  if (slice_groups != 0) {
    return unsupported("flexible macroblock ordering (" + std::to_string(slice_groups + 1) +
                       " slice groups) is not supported; encode with one slice group");
  }
  for (int& references : parameters.default_references) {
    const std::uint32_t count = reader.ue();
    if (count > 31) {
      return damaged("a reference list of " + std::to_string(std::uint64_t{count} + 1) +
                     " pictures; the limit is 32");
    }
    references = static_cast<int>(count) + 1;
  }
  parameters.has_weighted_prediction = reader.flag();
  parameters.weighted_bi_prediction = static_cast<int>(reader.bits(2));
  if (parameters.weighted_bi_prediction == 3) {
    return damaged("weighted_bipred_idc is 3; it must be in 0..2");
  }
  const int initial_qp = reader.se();
  if (initial_qp < -26 || initial_qp > 25) {
    return damaged("pic_init_qp_minus26 is " + std::to_string(initial_qp) +
                   "; it must be in -26..25");
  }
  parameters.initial_qp = 26 + initial_qp;
  const int initial_qs = reader.se();  // Only SP and SI slices use it.
  if (initial_qs < -26 || initial_qs > 25) {
    return damaged("pic_init_qs_minus26 is " + std::to_string(initial_qs) +
                   "; it must be in -26..25");
  }
  if (SyntaxCheck fault = parse_chroma_offset(reader, parameters.chroma_qp_offsets[0]))
    return fault;
  parameters.chroma_qp_offsets[1] = parameters.chroma_qp_offsets[0];
  parameters.has_deblocking_control = reader.flag();
  parameters.has_constrained_intra_prediction = reader.flag();
  parameters.has_redundant_slices = reader.flag();
  if (reader.has_more_data()) {
    parameters.has_8x8_transform = reader.flag();
    if (reader.flag()) {
      const int lists = parameters.has_8x8_transform ? kScalingLists : kScalingLists - 2;
      if (SyntaxCheck fault = parse_scaling_matrix(reader, lists, coded.matrix)) return fault;
    }
    if (SyntaxCheck fault = parse_chroma_offset(reader, parameters.chroma_qp_offsets[1])) {
      return fault;
    }
  }
  if (reader.failed()) return damaged("the set ends before its last element");
  return std::nullopt;
}

PictureParameters resolve(const CodedPictureParameters& coded, const SequenceParameters& sequence) {
  PictureParameters parameters = coded.parameters;
  parameters.scaling =
      picture_scaling_lists(coded.matrix, sequence.scaling, sequence.has_scaling_matrix);
  return parameters;
}

}  // namespace millrace::h264
