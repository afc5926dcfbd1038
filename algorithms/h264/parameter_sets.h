// SPDX-License-Identifier: Apache-2.0

// Sequence and picture parameter sets (ITU-T H.264 clauses 7.3.2.1 and 7.3.2.2), as far as slices
// of progressive 4:2:0 pictures of 8 bits need them.
#ifndef MILLRACE_ALGORITHMS_H264_PARAMETER_SETS_H_
#define MILLRACE_ALGORITHMS_H264_PARAMETER_SETS_H_

#include <cstdint>
#include <vector>

namespace millrace::h264 {

// Weights of levels by frequency, in raster order of the block: element 4 * row + column, or 8 *
// row + column. Fall-back rules are applied already.
struct ScalingLists {
  std::uint8_t lists_4x4[6][16];  // Intra Y, Cb, Cr, inter Y, Cb, Cr.
  std::uint8_t lists_8x8[2][64];  // Intra Y, inter Y.
};

struct SequenceParameters {
  int id = 0;
  int profile = 0;           // profile_idc
  int constraint_flags = 0;  // constraint_set0_flag is bit 7.
  int level = 0;             // level_idc
  int log2_max_frame_number = 4;
  int picture_order_type = 0;                    // 0 to 2
  int log2_max_picture_order = 4;                // Type 0.
  bool delta_picture_order_always_zero = false;  // Type 1.
  int offset_for_non_reference = 0;
  int offset_for_top_to_bottom = 0;
  std::vector<int> offsets_for_reference_frames;
  int max_reference_frames = 0;
  bool gaps_in_frame_number_allowed = false;
  int width_in_macroblocks = 0;
  int height_in_macroblocks = 0;
  bool direct_8x8_inference = false;
  // Cropping, in luma samples.
  int crop_left = 0, crop_right = 0, crop_top = 0, crop_bottom = 0;
  ScalingLists scaling;
  bool has_scaling_matrix = false;
  // Values of VUI; a negative one was not coded.
  int max_reorder_frames = -1;
  int max_decoded_frames = -1;
  std::uint32_t time_scale = 0;                           // Ticks a second; 0: not coded.
  std::uint32_t units_in_tick = 0;                        // A frame lasts two units.
  int sample_aspect_width = 0, sample_aspect_height = 0;  // 0: not coded.
  bool is_full_range = false;                             // Samples use 0 to 255, not 16 to 235.
  int chroma_location = 0;  // chroma_sample_loc_type_top_field, 0 to 5: 0 at left, 1 between.

  int macroblock_count() const { return width_in_macroblocks * height_in_macroblocks; }
  int width() const { return 16 * width_in_macroblocks - crop_left - crop_right; }
  int height() const { return 16 * height_in_macroblocks - crop_top - crop_bottom; }
};

struct PictureParameters {
  int id = 0;
  int sequence_id = 0;
  bool is_cabac = false;
  bool has_picture_order_in_slices = false;  // bottom_field_pic_order_in_frame_present_flag
  int default_references[2] = {1, 1};
  bool has_weighted_prediction = false;  // P slices.
  int weighted_bi_prediction = 0;        // weighted_bipred_idc, 0 to 2.
  int initial_qp = 26;                   // 26 + pic_init_qp_minus26
  int chroma_qp_offsets[2] = {0, 0};     // Cb, Cr
  bool has_deblocking_control = false;
  bool has_constrained_intra_prediction = false;
  bool has_redundant_slices = false;  // redundant_pic_cnt_present_flag
  bool has_8x8_transform = false;     // transform_8x8_mode_flag
  ScalingLists scaling;               // The sequence's where none are coded here.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PARAMETER_SETS_H_
