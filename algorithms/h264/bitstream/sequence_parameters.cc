// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/sample_aspect.h>
#include <millrace/algorithms/h264/bitstream/scaling_matrix.h>
#include <millrace/algorithms/h264/bitstream/sequence_parameters.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

namespace millrace::h264 {
namespace {

// The largest MaxFS of Table A-1, of levels 6 to 6.2; sides are limited to sqrt(8 * MaxFS).
constexpr std::uint32_t kMaxMacroblocks = 139264;
constexpr std::uint32_t kMaxSide = 1055;

// The largest MaxDpbMbs of Table A-1, of levels 6 to 6.2: with it, a buffer of decoded pictures has
// at most 512 MB of samples and macroblocks.
constexpr int kMaxBufferMacroblocks = 696320;

int max_decoded_frames_of_any_level(const SequenceParameters& parameters) {
  return std::clamp(kMaxBufferMacroblocks / std::max(1, parameters.macroblock_count()), 1, 16);
}

bool is_profile(int profile) {
  constexpr int kProfiles[] = {44,  66,  77,  83,  86,  88,  100, 110, 118,
                               122, 128, 134, 135, 138, 139, 144, 244};
  return std::find(std::begin(kProfiles), std::end(kProfiles), profile) != std::end(kProfiles);
}

// The profiles whose sets have chroma_format_idc and what follows it.
bool has_chroma_format(int profile) {
  constexpr int kBefore[] = {66, 77, 88};
  return std::find(std::begin(kBefore), std::end(kBefore), profile) == std::end(kBefore);
}

const char* chroma_format_name(std::uint32_t format) {
  constexpr const char* kNames[] = {"4:0:0 (monochrome)", "4:2:0", "4:2:2", "4:4:4"};
  return kNames[format];
}

SyntaxCheck parse_formats(BitReader& reader, SequenceParameters& parameters) {
  const std::uint32_t chroma_format = reader.ue();
  if (chroma_format > 3) return out_of_range("chroma_format_idc", chroma_format, 0, 3);
  if (chroma_format != 1) {
    return unsupported(std::string("chroma format ") + chroma_format_name(chroma_format) +
                       " is not supported; encode in 4:2:0");
  }
  const std::uint32_t depths[] = {reader.ue(), reader.ue()};
  for (const std::uint32_t depth : depths) {
    if (depth > 6) return out_of_range("a bit depth above 8", depth, 0, 6);
  }
  if (depths[0] != 0 || depths[1] != 0) {
    return unsupported("bit depth " + std::to_string(8 + std::max(depths[0], depths[1])) +
                       " is not supported; encode in 8 bits");
  }
  if (reader.flag()) {
    return unsupported(
        "lossless transform bypass (qpprime_y_zero_transform_bypass_flag 1) is not supported; "
        "encode in profile High or below");
  }
  ScalingMatrix matrix;
  if (reader.flag()) {
    if (SyntaxCheck fault = parse_scaling_matrix(reader, kScalingLists, matrix)) return fault;
  }
  parameters.has_scaling_matrix = matrix.is_present;
  parameters.scaling = sequence_scaling_lists(matrix);
  return std::nullopt;
}

SyntaxCheck parse_picture_order(BitReader& reader, SequenceParameters& parameters) {
  const std::uint32_t type = reader.ue();
  if (type > 2) return out_of_range("pic_order_cnt_type", type, 0, 2);
  parameters.picture_order_type = static_cast<int>(type);
  if (type == 0) {
    const std::uint32_t log2 = reader.ue();
    if (log2 > 12) return out_of_range("log2_max_pic_order_cnt_lsb_minus4", log2, 0, 12);
    parameters.log2_max_picture_order = 4 + static_cast<int>(log2);
  } else if (type == 1) {
    parameters.delta_picture_order_always_zero = reader.flag();
    parameters.offset_for_non_reference = reader.se();
    parameters.offset_for_top_to_bottom = reader.se();
    const std::uint32_t count = reader.ue();
    if (count > 255) return out_of_range("num_ref_frames_in_pic_order_cnt_cycle", count, 0, 255);
    for (std::uint32_t i = 0; i < count; ++i) {
      parameters.offsets_for_reference_frames.push_back(reader.se());
    }
  }
  return std::nullopt;
}

SyntaxCheck parse_size(BitReader& reader, SequenceParameters& parameters) {
  const std::uint32_t width = reader.ue();
  const std::uint32_t height = reader.ue();
  if (width >= kMaxSide || height >= kMaxSide || (width + 1) * (height + 1) > kMaxMacroblocks) {
    return damaged("a picture of " + std::to_string(std::uint64_t{width} + 1) + " x " +
                   std::to_string(std::uint64_t{height} + 1) +
                   " macroblocks; the largest of any level has 139264, and 1055 a side");
  }
  parameters.width_in_macroblocks = static_cast<int>(width) + 1;
  parameters.height_in_macroblocks = static_cast<int>(height) + 1;
  const int most = max_decoded_frames_of_any_level(parameters);
  if (parameters.max_reference_frames > most) {
    return damaged("max_num_ref_frames is " + std::to_string(parameters.max_reference_frames) +
                   " of pictures of " + std::to_string(width + 1) + " x " +
                   std::to_string(height + 1) + " macroblocks; no level has more than " +
                   std::to_string(most));
  }
  return std::nullopt;
}

SyntaxCheck parse_cropping(BitReader& reader, SequenceParameters& parameters) {
  if (!reader.flag()) return std::nullopt;
  std::uint32_t offsets[4];
  for (std::uint32_t& offset : offsets) offset = reader.ue();
  const auto [left, right, top, bottom] = offsets;
  if (2 * (std::uint64_t{left} + right) >= 16 * std::uint64_t(parameters.width_in_macroblocks) ||
      2 * (std::uint64_t{top} + bottom) >= 16 * std::uint64_t(parameters.height_in_macroblocks)) {
    return damaged("cropping leaves no sample of the picture; its offsets must be smaller");
  }
  parameters.crop_left = 2 * static_cast<int>(left);
  parameters.crop_right = 2 * static_cast<int>(right);
  parameters.crop_top = 2 * static_cast<int>(top);
  parameters.crop_bottom = 2 * static_cast<int>(bottom);
  return std::nullopt;
}

void parse_sample_aspect(BitReader& reader, SequenceParameters& parameters) {
  if (!reader.flag()) return;
  const auto ratio = reader.bits(8);
  if (ratio == kExtendedSampleAspect) {
    parameters.sample_aspect_width = static_cast<int>(reader.bits(16));
    parameters.sample_aspect_height = static_cast<int>(reader.bits(16));
  } else if (ratio < std::size(kSampleAspects)) {
    parameters.sample_aspect_width = kSampleAspects[ratio][0];
    parameters.sample_aspect_height = kSampleAspects[ratio][1];
  }
}

// Passes over hrd_parameters().
SyntaxCheck skip_hrd(BitReader& reader) {
  const std::uint32_t count = reader.ue();
  if (count > 31) return out_of_range("cpb_cnt_minus1", count, 0, 31);
  reader.skip(4 + 4);  // Scales of bit rate and buffer size.
  for (std::uint32_t i = 0; i <= count; ++i) {
    reader.ue();    // bit_rate_value_minus1
    reader.ue();    // cpb_size_value_minus1
    reader.flag();  // cbr_flag
  }
  reader.skip(5 + 5 + 5 + 5);  // Lengths of delays and of the time offset.
  return std::nullopt;
}

SyntaxCheck parse_vui(BitReader& reader, SequenceParameters& parameters) {
  parse_sample_aspect(reader, parameters);
  if (reader.flag()) reader.flag();  // overscan_appropriate_flag
  if (reader.flag()) {
    reader.skip(3);  // video_format
    parameters.is_full_range = reader.flag();
    if (reader.flag()) reader.skip(8 + 8 + 8);  // Primaries, transfer, matrix.
  }
  if (reader.flag()) {
    parameters.chroma_location = static_cast<int>(std::min(reader.ue(), 5U));
    reader.ue();  // chroma_sample_loc_type_bottom_field
  }
  if (reader.flag()) {
    parameters.units_in_tick = reader.bits(32);
    parameters.time_scale = reader.bits(32);
    reader.flag();  // fixed_frame_rate_flag
  }
  const bool has_nal_hrd = reader.flag();
  if (has_nal_hrd) {
    if (SyntaxCheck fault = skip_hrd(reader)) return fault;
  }
  const bool has_vcl_hrd = reader.flag();
  if (has_vcl_hrd) {
    if (SyntaxCheck fault = skip_hrd(reader)) return fault;
  }
  if (has_nal_hrd || has_vcl_hrd) reader.flag();  // low_delay_hrd_flag
  reader.flag();                                  // pic_struct_present_flag
  if (!reader.flag()) return std::nullopt;
  reader.flag();                            // motion_vectors_over_pic_boundaries_flag
  for (int i = 0; i < 4; ++i) reader.ue();  // Largest sizes and vectors.
  const std::uint32_t reorder = reader.ue();
  const std::uint32_t decoded = reader.ue();
  if (reader.failed()) return std::nullopt;
  // Values that contradict each other are ignored; the level's limits apply instead.
  if (decoded <= 16 && reorder <= decoded) {
    parameters.max_reorder_frames = static_cast<int>(reorder);
    parameters.max_decoded_frames = static_cast<int>(decoded);
  }
  return std::nullopt;
}

}  // namespace

SyntaxCheck parse_sequence_parameters(BitReader& reader, SequenceParameters& parameters) {
  parameters.id = -1;
  parameters.profile = static_cast<int>(reader.bits(8));
  parameters.constraint_flags = static_cast<int>(reader.bits(8));
  parameters.level = static_cast<int>(reader.bits(8));
  const std::uint32_t id = reader.ue();
  if (reader.failed()) return damaged("the set ends before its id");
  if (id > 31) return out_of_range("seq_parameter_set_id", id, 0, 31);
  if (!is_profile(parameters.profile)) {
    return damaged("profile_idc is " + std::to_string(parameters.profile) +
                   ", which the standard does not have");
  }
  parameters.id = static_cast<int>(id);
  parameters.scaling = flat_scaling_lists();
  if (has_chroma_format(parameters.profile)) {
    if (SyntaxCheck fault = parse_formats(reader, parameters)) return fault;
  }
  const std::uint32_t log2_frames = reader.ue();
  if (log2_frames > 12) return out_of_range("log2_max_frame_num_minus4", log2_frames, 0, 12);
  parameters.log2_max_frame_number = 4 + static_cast<int>(log2_frames);
  if (SyntaxCheck fault = parse_picture_order(reader, parameters)) return fault;
  const std::uint32_t references = reader.ue();
  if (references > 16) return out_of_range("max_num_ref_frames", references, 0, 16);
  parameters.max_reference_frames = static_cast<int>(references);
  parameters.gaps_in_frame_number_allowed = reader.flag();
  if (SyntaxCheck fault = parse_size(reader, parameters)) return fault;
  if (reader.failed()) return damaged("the set ends before its picture size");
  if (!reader.flag()) {
    return unsupported(reader.flag() ? "field or MBAFF coding (frame_mbs_only_flag 0) is not "
                                       "supported; encode frames"
                                     : "field coding (frame_mbs_only_flag 0) is not supported; "
                                       "encode frames");
  }
  parameters.direct_8x8_inference = reader.flag();
  if (SyntaxCheck fault = parse_cropping(reader, parameters)) return fault;
  if (reader.flag()) {
    if (SyntaxCheck fault = parse_vui(reader, parameters)) return fault;
  }
  if (reader.failed()) return damaged("the set ends before its last element");
  return std::nullopt;
}

int max_decoded_frames_of_level(const SequenceParameters& parameters) {
  struct Limit {
    int level;
    int macroblocks;  // MaxDpbMbs
  };
  constexpr Limit kLimits[] = {
      {9, 396},     {10, 396},    {11, 900},    {12, 2376},   {13, 2376},
      {20, 2376},   {21, 4752},   {22, 8100},   {30, 8100},   {31, 18000},
      {32, 20480},  {40, 32768},  {41, 32768},  {42, 34816},  {50, 110400},
      {51, 184320}, {52, 184320}, {60, 696320}, {61, 696320}, {62, kMaxBufferMacroblocks}};
  constexpr int kConstraint3 = 0x10;
  const bool has_level_1b =
      parameters.profile == 66 || parameters.profile == 77 || parameters.profile == 88;
  const bool is_level_1b =
      has_level_1b && parameters.level == 11 && (parameters.constraint_flags & kConstraint3) != 0;
  const int level = is_level_1b ? 9 : parameters.level;
  for (const Limit& limit : kLimits) {
    if (limit.level == level) {
      return std::clamp(limit.macroblocks / std::max(1, parameters.macroblock_count()), 1, 16);
    }
  }
  return max_decoded_frames_of_any_level(parameters);
}

int decoded_frame_capacity(const SequenceParameters& parameters) {
  int capacity = max_decoded_frames_of_level(parameters);
  if (parameters.max_decoded_frames >= 0) {
    capacity = std::min(parameters.max_decoded_frames, max_decoded_frames_of_any_level(parameters));
  }
  return std::max({capacity, parameters.max_reference_frames, 1});
}

}  // namespace millrace::h264
