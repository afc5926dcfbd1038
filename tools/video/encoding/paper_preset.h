// SPDX-License-Identifier: Apache-2.0

// The settings that the motion estimation paper's encodes have.
#ifndef MILLRACE_TOOLS_VIDEO_ENCODING_PAPER_PRESET_H_
#define MILLRACE_TOOLS_VIDEO_ENCODING_PAPER_PRESET_H_

#include <millrace/algorithms/h264/encoder/settings/encoder_options.h>

namespace millrace::tools {

// Returns options without a size: baseline profile, one reference, an I and 11 P pictures a group,
// full search of range 32, modes by cost, and no groups that begin at scene cuts.
inline h264::EncoderOptions paper_encoder_options() {
  return {.profile = h264::EncoderProfile::kBaseline,
          .decision = h264::ModeDecision::kCost,
          .search = h264::EncoderSearch::kFull,
          .pictures_a_group = 12,
          .range = 32,
          .references = 1,
          .finds_scene_cuts = false};
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_ENCODING_PAPER_PRESET_H_
