// SPDX-License-Identifier: Apache-2.0

// The parameter sets of an encoder's stream.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SETTINGS_PARAMETER_CHOICE_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SETTINGS_PARAMETER_CHOICE_H_

#include <millrace/algorithms/h264/encoder/settings/encoder_options.h>
#include <millrace/algorithms/h264/encoder/settings/level_limits.h>
#include <millrace/algorithms/h264/parameter_sets.h>

namespace millrace::h264 {

// Returns the lowest level that fits size, frame rate, references and, with EncoderRate::kBitrate,
// bit rate. Other bit rates are not known before the stream is. Output order is coding order.
const LevelLimits& level_for(const EncoderOptions& options);
SequenceParameters sequence_parameters_for(const EncoderOptions& options);
PictureParameters picture_parameters_for(const EncoderOptions& options);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SETTINGS_PARAMETER_CHOICE_H_
