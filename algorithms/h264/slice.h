// SPDX-License-Identifier: Apache-2.0

// The header of a slice (ITU-T H.264 clause 7.3.3) and the pictures it refers to.
#ifndef MILLRACE_ALGORITHMS_H264_SLICE_H_
#define MILLRACE_ALGORITHMS_H264_SLICE_H_

#include <cstdint>
#include <vector>

namespace millrace::h264 {

enum class SliceType : std::uint8_t { kP, kB, kI };

// Explicit weights of one reference picture, by component: Y, Cb, Cr.
struct PredictionWeight {
  std::int16_t weight[3];
  std::int16_t offset[3];
};

// One operation on a reference list (Table 7-7) or on the marking of pictures (Table 7-9). An
// operation has one operand, or two: memory_management_control_operation 3.
struct ReferenceOperation {
  int operation = 0;
  std::uint32_t operand = 0;
  std::uint32_t second_operand = 0;
};

struct SliceHeader {
  int nal_unit_type = 1;  // 1, or 5 of an IDR picture.
  int nal_reference = 0;  // nal_ref_idc; 0: no other picture refers to this one.
  int first_macroblock = 0;
  SliceType type = SliceType::kI;
  int picture_parameters = 0;  // Their id.
  int frame_number = 0;        // frame_num
  int idr_id = 0;
  int picture_order_lsb = 0;
  int delta_picture_order_bottom = 0;
  int delta_picture_order[2] = {0, 0};
  bool is_direct_spatial = false;  // direct_spatial_mv_pred_flag
  int reference_counts[2] = {0, 0};
  std::vector<ReferenceOperation> list_operations[2];
  int luma_weight_shift = 0, chroma_weight_shift = 0;  // log2 of the weights' denominators.
  PredictionWeight weights[2][32] = {};                // Explicit ones, defaults filled in.
  // Marking (clause 7.3.3.3).
  bool keeps_no_prior_pictures = false;  // no_output_of_prior_pics_flag
  bool is_long_term = false;             // long_term_reference_flag of an IDR picture.
  bool has_marking_operations = false;   // adaptive_ref_pic_marking_mode_flag
  std::vector<ReferenceOperation> marking_operations;
  int cabac_table = 0;                    // cabac_init_idc
  int qp = 26;                            // SliceQP_Y
  int deblocking = 0;                     // disable_deblocking_filter_idc
  int alpha_offset = 0, beta_offset = 0;  // FilterOffsetA and FilterOffsetB.

  // Returns whether the slice is part of an IDR picture.
  bool is_idr() const { return nal_unit_type == 5; }
};

struct ParsedPicture;

// One entry of a reference list.
struct Reference {
  std::int64_t picture = -1;  // ParsedPicture::id; -1: the picture is missing.
  int picture_order = 0;      // PicOrderCnt
  bool is_long_term = false;
  const ParsedPicture* parsed = nullptr;  // Not owned; null: missing. Temporal and spatial direct
                                          // prediction read its macroblocks.
};

struct Slice {
  SliceHeader header;
  std::vector<Reference> references[2];  // RefPicList0 and RefPicList1, reference_counts[] long.
  std::uint32_t header_bits = 0;         // The NAL unit's: start code, NAL header, slice header.
  std::uint32_t bytes = 0;               // The whole NAL unit with its start code or length field.
  int macroblock_count = 0;              // Number of macroblocks parsed.
  bool is_damaged = false;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_SLICE_H_
