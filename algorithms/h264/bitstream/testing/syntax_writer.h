// SPDX-License-Identifier: Apache-2.0

// Writes parameter sets and slice headers (ITU-T H.264 clauses 7.3.2 and 7.3.3), for tests.
//
//   parser.push_nal_unit(sequence_nal_unit({.profile = 66, ...}));
//   BitWriter writer;
//   write_slice_header(writer, header, sequence, picture);
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_TESTING_SYNTAX_WRITER_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_TESTING_SYNTAX_WRITER_H_

#include <millrace/algorithms/h264/bitstream/testing/bit_writer.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/slice.h>

#include <cstdint>
#include <vector>

namespace millrace::h264 {

// Returns parameters of a small baseline sequence: 2 x 2 macroblocks, four references.
inline SequenceParameters small_sequence() {
  SequenceParameters sequence;
  sequence.profile = 66;
  sequence.level = 30;
  sequence.max_reference_frames = 4;
  sequence.width_in_macroblocks = 2;
  sequence.height_in_macroblocks = 2;
  sequence.direct_8x8_inference = true;
  return sequence;
}

// Writes a set without scaling lists; VUI has bitstream_restriction alone.
inline void write_sequence_parameters(BitWriter& writer, const SequenceParameters& sequence) {
  const auto unsigned_of = [](int value) { return static_cast<std::uint32_t>(value); };
  writer.bits(unsigned_of(sequence.profile), 8);
  writer.bits(unsigned_of(sequence.constraint_flags), 8);
  writer.bits(unsigned_of(sequence.level), 8);
  writer.ue(unsigned_of(sequence.id));
  if (sequence.profile == 100) {
    writer.ue(1);        // chroma_format_idc
    writer.ue(0);        // bit_depth_luma_minus8
    writer.ue(0);        // bit_depth_chroma_minus8
    writer.flag(false);  // qpprime_y_zero_transform_bypass_flag
    writer.flag(false);  // seq_scaling_matrix_present_flag
  }
  writer.ue(unsigned_of(sequence.log2_max_frame_number - 4));
  writer.ue(unsigned_of(sequence.picture_order_type));
  if (sequence.picture_order_type == 0) {
    writer.ue(unsigned_of(sequence.log2_max_picture_order - 4));
  } else if (sequence.picture_order_type == 1) {
    writer.flag(sequence.delta_picture_order_always_zero);
    writer.se(sequence.offset_for_non_reference);
    writer.se(sequence.offset_for_top_to_bottom);
    writer.ue(static_cast<std::uint32_t>(sequence.offsets_for_reference_frames.size()));
    for (const int offset : sequence.offsets_for_reference_frames) writer.se(offset);
  }
  writer.ue(unsigned_of(sequence.max_reference_frames));
  writer.flag(sequence.gaps_in_frame_number_allowed);
  writer.ue(unsigned_of(sequence.width_in_macroblocks - 1));
  writer.ue(unsigned_of(sequence.height_in_macroblocks - 1));
  writer.flag(true);  // frame_mbs_only_flag
  writer.flag(sequence.direct_8x8_inference);
  const bool is_cropped = sequence.crop_left != 0 || sequence.crop_right != 0 ||
                          sequence.crop_top != 0 || sequence.crop_bottom != 0;
  writer.flag(is_cropped);
  if (is_cropped) {
    writer.ue(unsigned_of(sequence.crop_left / 2));
    writer.ue(unsigned_of(sequence.crop_right / 2));
    writer.ue(unsigned_of(sequence.crop_top / 2));
    writer.ue(unsigned_of(sequence.crop_bottom / 2));
  }
  const bool has_vui = sequence.max_reorder_frames >= 0;
  writer.flag(has_vui);
  if (has_vui) {
    writer.bits(0, 8);  // What precedes bitstream_restriction_flag is absent.
    writer.flag(true);  // bitstream_restriction_flag
    writer.flag(true);  // motion_vectors_over_pic_boundaries_flag
    for (int i = 0; i < 4; ++i) writer.ue(0);
    writer.ue(unsigned_of(sequence.max_reorder_frames));
    writer.ue(unsigned_of(sequence.max_decoded_frames));
  }
  writer.trailing_bits();
}

// Writes a set without scaling lists.
inline void write_picture_parameters(BitWriter& writer, const PictureParameters& picture) {
  writer.ue(static_cast<std::uint32_t>(picture.id));
  writer.ue(static_cast<std::uint32_t>(picture.sequence_id));
  writer.flag(picture.is_cabac);
  writer.flag(picture.has_picture_order_in_slices);
  writer.ue(0);  // num_slice_groups_minus1
  for (const int count : picture.default_references) {
    writer.ue(static_cast<std::uint32_t>(count - 1));
  }
  writer.flag(picture.has_weighted_prediction);
  writer.bits(static_cast<std::uint32_t>(picture.weighted_bi_prediction), 2);
  writer.se(picture.initial_qp - 26);
  writer.se(0);  // pic_init_qs_minus26
  writer.se(picture.chroma_qp_offsets[0]);
  writer.flag(picture.has_deblocking_control);
  writer.flag(picture.has_constrained_intra_prediction);
  writer.flag(picture.has_redundant_slices);
  if (picture.has_8x8_transform || picture.chroma_qp_offsets[0] != picture.chroma_qp_offsets[1]) {
    writer.flag(picture.has_8x8_transform);
    writer.flag(false);  // pic_scaling_matrix_present_flag
    writer.se(picture.chroma_qp_offsets[1]);
  }
  writer.trailing_bits();
}

inline void write_reference_lists(BitWriter& writer, const SliceHeader& header) {
  const int lists = header.type == SliceType::kI ? 0 : header.type == SliceType::kP ? 1 : 2;
  if (lists != 0) writer.flag(true);  // num_ref_idx_active_override_flag
  for (int list = 0; list < lists; ++list) {
    writer.ue(static_cast<std::uint32_t>(header.reference_counts[list] - 1));
  }
  for (int list = 0; list < lists; ++list) {
    writer.flag(!header.list_operations[list].empty());
    if (header.list_operations[list].empty()) continue;
    for (const ReferenceOperation& operation : header.list_operations[list]) {
      writer.ue(static_cast<std::uint32_t>(operation.operation));
      writer.ue(operation.operand);
    }
    writer.ue(3);
  }
}

inline void write_weights(BitWriter& writer, const SliceHeader& header) {
  writer.ue(static_cast<std::uint32_t>(header.luma_weight_shift));
  writer.ue(static_cast<std::uint32_t>(header.chroma_weight_shift));
  for (int list = 0; list < (header.type == SliceType::kB ? 2 : 1); ++list) {
    for (int i = 0; i < header.reference_counts[list]; ++i) {
      const PredictionWeight& weight = header.weights[list][i];
      writer.flag(true);
      writer.se(weight.weight[0]);
      writer.se(weight.offset[0]);
      writer.flag(true);
      for (int component = 1; component <= 2; ++component) {
        writer.se(weight.weight[component]);
        writer.se(weight.offset[component]);
      }
    }
  }
}

inline void write_marking(BitWriter& writer, const SliceHeader& header) {
  if (header.nal_unit_type == 5) {
    writer.flag(header.keeps_no_prior_pictures);
    writer.flag(header.is_long_term);
    return;
  }
  writer.flag(header.has_marking_operations);
  if (!header.has_marking_operations) return;
  for (const ReferenceOperation& operation : header.marking_operations) {
    writer.ue(static_cast<std::uint32_t>(operation.operation));
    if (operation.operation != 5) writer.ue(operation.operand);
    if (operation.operation == 3) writer.ue(operation.second_operand);
  }
  writer.ue(0);
}

// Writes slice_header(), whose reference counts are always coded.
inline void write_slice_header(BitWriter& writer, const SliceHeader& header,
                               const SequenceParameters& sequence,
                               const PictureParameters& picture) {
  writer.ue(static_cast<std::uint32_t>(header.first_macroblock));
  writer.ue(header.type == SliceType::kP ? 0 : header.type == SliceType::kB ? 1 : 2);
  writer.ue(static_cast<std::uint32_t>(header.picture_parameters));
  writer.bits(static_cast<std::uint32_t>(header.frame_number), sequence.log2_max_frame_number);
  if (header.nal_unit_type == 5) writer.ue(static_cast<std::uint32_t>(header.idr_id));
  if (sequence.picture_order_type == 0) {
    writer.bits(static_cast<std::uint32_t>(header.picture_order_lsb),
                sequence.log2_max_picture_order);
    if (picture.has_picture_order_in_slices) writer.se(header.delta_picture_order_bottom);
  } else if (sequence.picture_order_type == 1 && !sequence.delta_picture_order_always_zero) {
    writer.se(header.delta_picture_order[0]);
    if (picture.has_picture_order_in_slices) writer.se(header.delta_picture_order[1]);
  }
  if (picture.has_redundant_slices) writer.ue(0);  // redundant_pic_cnt
  if (header.type == SliceType::kB) writer.flag(header.is_direct_spatial);
  write_reference_lists(writer, header);
  if ((picture.has_weighted_prediction && header.type == SliceType::kP) ||
      (picture.weighted_bi_prediction == 1 && header.type == SliceType::kB)) {
    write_weights(writer, header);
  }
  if (header.nal_reference != 0) write_marking(writer, header);
  if (picture.is_cabac && header.type != SliceType::kI) {
    writer.ue(static_cast<std::uint32_t>(header.cabac_table));
  }
  writer.se(header.qp - picture.initial_qp);
  if (picture.has_deblocking_control) {
    writer.ue(static_cast<std::uint32_t>(header.deblocking));
    if (header.deblocking != 1) {
      writer.se(header.alpha_offset / 2);
      writer.se(header.beta_offset / 2);
    }
  }
}

inline std::vector<std::uint8_t> sequence_nal_unit(const SequenceParameters& sequence) {
  BitWriter writer;
  write_sequence_parameters(writer, sequence);
  return make_nal_unit(3, 7, writer.bytes());
}

inline std::vector<std::uint8_t> picture_nal_unit(const PictureParameters& picture) {
  BitWriter writer;
  write_picture_parameters(writer, picture);
  return make_nal_unit(3, 8, writer.bytes());
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_TESTING_SYNTAX_WRITER_H_
