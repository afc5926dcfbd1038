// SPDX-License-Identifier: Apache-2.0

// Writes parameter sets and slice headers (ITU-T H.264 clauses 7.3.2 and 7.3.3).
//
//   send(sequence_nal_unit(sequence));
//   BitWriter writer;
//   write_slice_header(writer, header, sequence, picture);
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_WRITERS_SYNTAX_WRITER_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_WRITERS_SYNTAX_WRITER_H_

#include <millrace/algorithms/h264/bitstream/sample_aspect.h>
#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/bitstream/writers/nal_unit_writer.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/slice.h>

#include <cstdint>
#include <iterator>
#include <vector>

namespace millrace::h264 {

// Writes aspect_ratio_info_present_flag and the elements that it announces.
inline void write_sample_aspect(BitWriter& writer, const SequenceParameters& sequence) {
  const int width = sequence.sample_aspect_width;
  const int height = sequence.sample_aspect_height;
  writer.flag(width != 0);
  if (width == 0) return;
  std::uint64_t number = 1;
  while (number < std::size(kSampleAspects) &&
         (kSampleAspects[number][0] != width || kSampleAspects[number][1] != height)) {
    ++number;
  }
  if (number < std::size(kSampleAspects)) {
    writer.bits(number, 8);
  } else {
    writer.bits(kExtendedSampleAspect, 8);
    writer.bits(static_cast<std::uint64_t>(width), 16);
    writer.bits(static_cast<std::uint64_t>(height), 16);
  }
}

inline bool has_vui(const SequenceParameters& sequence) {
  return sequence.max_reorder_frames >= 0 || sequence.time_scale != 0 ||
         sequence.sample_aspect_width != 0 || sequence.is_full_range ||
         sequence.chroma_location != 0;
}

// Writes vui_parameters() (clause E.1.1). The frame rate is fixed.
inline void write_vui(BitWriter& writer, const SequenceParameters& sequence) {
  constexpr int kUnspecifiedFormat = 5;
  constexpr int kMostVectorBits = 15;
  write_sample_aspect(writer, sequence);
  writer.flag(false);                   // overscan_info_present_flag
  writer.flag(sequence.is_full_range);  // video_signal_type_present_flag
  if (sequence.is_full_range) {
    writer.bits(kUnspecifiedFormat, 3);
    writer.flag(true);   // video_full_range_flag
    writer.flag(false);  // colour_description_present_flag
  }
  writer.flag(sequence.chroma_location != 0);
  if (sequence.chroma_location != 0) {
    for (int field = 0; field < 2; ++field) {
      writer.ue(static_cast<std::uint32_t>(sequence.chroma_location));
    }
  }
  writer.flag(sequence.time_scale != 0);
  if (sequence.time_scale != 0) {
    writer.bits(sequence.units_in_tick, 32);
    writer.bits(sequence.time_scale, 32);
    writer.flag(true);  // fixed_frame_rate_flag
  }
  writer.bits(0, 3);  // No HRD parameters of NAL or VCL, and pic_struct_present_flag.
  writer.flag(sequence.max_reorder_frames >= 0);
  if (sequence.max_reorder_frames >= 0) {
    writer.flag(true);  // motion_vectors_over_pic_boundaries_flag
    writer.ue(0);       // max_bytes_per_pic_denom: no limit.
    writer.ue(0);       // max_bits_per_mb_denom: no limit.
    writer.ue(kMostVectorBits);
    writer.ue(kMostVectorBits);
    writer.ue(static_cast<std::uint32_t>(sequence.max_reorder_frames));
    writer.ue(static_cast<std::uint32_t>(sequence.max_decoded_frames));
  }
}

// Writes a set without scaling lists, of profile 66, 77 or 100.
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
  writer.flag(has_vui(sequence));
  if (has_vui(sequence)) write_vui(writer, sequence);
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

// Writes num_ref_idx_active_override_flag, the lengths of lists where they are not the picture
// parameters', and ref_pic_list_modification().
inline void write_reference_lists(BitWriter& writer, const SliceHeader& header,
                                  const PictureParameters& picture) {
  const int lists = header.type == SliceType::kI ? 0 : header.type == SliceType::kP ? 1 : 2;
  bool has_counts = false;
  for (int list = 0; list < lists; ++list) {
    has_counts = has_counts || header.reference_counts[list] != picture.default_references[list];
  }
  if (lists != 0) writer.flag(has_counts);
  for (int list = 0; has_counts && list < lists; ++list) {
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

// Writes pred_weight_table(). All weights are coded.
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

// Writes dec_ref_pic_marking().
inline void write_marking(BitWriter& writer, const SliceHeader& header) {
  if (header.is_idr()) {
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

// Writes slice_header().
inline void write_slice_header(BitWriter& writer, const SliceHeader& header,
                               const SequenceParameters& sequence,
                               const PictureParameters& picture) {
  writer.ue(static_cast<std::uint32_t>(header.first_macroblock));
  writer.ue(header.type == SliceType::kP ? 0 : header.type == SliceType::kB ? 1 : 2);
  writer.ue(static_cast<std::uint32_t>(header.picture_parameters));
  writer.bits(static_cast<std::uint32_t>(header.frame_number), sequence.log2_max_frame_number);
  if (header.is_idr()) writer.ue(static_cast<std::uint32_t>(header.idr_id));
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
  write_reference_lists(writer, header, picture);
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

// Returns a NAL unit, without a start code.
inline std::vector<std::uint8_t> sequence_nal_unit(const SequenceParameters& sequence) {
  BitWriter writer;
  write_sequence_parameters(writer, sequence);
  return make_nal_unit(3, 7, writer.bytes());
}

// Returns a NAL unit, without a start code.
inline std::vector<std::uint8_t> picture_nal_unit(const PictureParameters& picture) {
  BitWriter writer;
  write_picture_parameters(writer, picture);
  return make_nal_unit(3, 8, writer.bytes());
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_WRITERS_SYNTAX_WRITER_H_
