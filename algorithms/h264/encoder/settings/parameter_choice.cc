// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/settings/parameter_choice.h>

namespace millrace::h264 {
namespace {

// Returns the rate that is compared with MaxBR. The limit of a byte stream is 1.2 times that of its
// slices (cpbBrNalFactor), so a stream fits where it would fit as slices alone.
double bits_a_second(const EncoderOptions& options) {
  if (options.rate != EncoderRate::kBitrate) return 0;
  return 1000.0 * options.kbit_per_second / (options.profile == EncoderProfile::kHigh ? 1.25 : 1);
}

}  // namespace

const LevelLimits& level_for(const EncoderOptions& options) {
  return lowest_level((options.width + 15) / 16, (options.height + 15) / 16,
                      static_cast<double>(options.frame_rate) / options.frame_rate_base,
                      options.references, bits_a_second(options));
}

SequenceParameters sequence_parameters_for(const EncoderOptions& options) {
  SequenceParameters sequence;
  switch (options.profile) {
    case EncoderProfile::kBaseline:
      sequence.profile = 66;
      sequence.constraint_flags = 0xc0;  // Main includes it: constrained baseline.
      break;
    case EncoderProfile::kMain:
      sequence.profile = 77;
      sequence.constraint_flags = 0x40;
      break;
    case EncoderProfile::kHigh: sequence.profile = 100; break;
  }
  sequence.level = level_for(options).level;
  if (sequence.level == kLevel1b && options.profile != EncoderProfile::kHigh) {
    sequence.level = 11;
    sequence.constraint_flags |= 0x10;
  }
  sequence.log2_max_frame_number = 8;
  sequence.picture_order_type = 2;
  sequence.max_reference_frames = options.references;
  sequence.width_in_macroblocks = (options.width + 15) / 16;
  sequence.height_in_macroblocks = (options.height + 15) / 16;
  sequence.direct_8x8_inference = true;
  sequence.crop_right = 16 * sequence.width_in_macroblocks - options.width;
  sequence.crop_bottom = 16 * sequence.height_in_macroblocks - options.height;
  sequence.max_reorder_frames = 0;
  sequence.max_decoded_frames = options.references;
  sequence.time_scale = 2 * options.frame_rate;
  sequence.units_in_tick = options.frame_rate_base;
  sequence.sample_aspect_width = options.sample_aspect_width;
  sequence.sample_aspect_height = options.sample_aspect_height;
  sequence.is_full_range = options.is_full_range;
  return sequence;
}

PictureParameters picture_parameters_for(const EncoderOptions& options) {
  PictureParameters picture;
  picture.is_cabac = options.profile != EncoderProfile::kBaseline;
  picture.has_8x8_transform = options.profile == EncoderProfile::kHigh;
  picture.default_references[0] = options.references;
  picture.initial_qp = options.qp;
  picture.has_deblocking_control = true;
  return picture;
}

}  // namespace millrace::h264
