// SPDX-License-Identifier: Apache-2.0

// Sets the members of a PictureCoding that hosts and devices have in common.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SETTINGS_CODING_SETUP_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SETTINGS_CODING_SETUP_H_

#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/encoder/settings/encoder_options.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>

#include <cstdint>

namespace millrace::h264 {

// Returns what all pictures of a stream have: size, tools and limits. Pointers are null.
PictureCoding coding_setup(const EncoderOptions& options, const SequenceParameters& sequence,
                           const PictureParameters& picture);

// Sets the QP of a picture, 0 to 51, and the weights that follow from it, without quantisers.
void set_coding_qp(PictureCoding& coding, int qp);

// Returns the view of each slice of a picture, whose references are `references`, of which there
// are `count`.
SliceView slice_view(const EncoderOptions& options, const ReferenceView* references, int count);

// Returns the number of the slice that a row of macroblocks is in.
constexpr std::uint16_t slice_of_row(const EncoderOptions& options, int row, int rows) {
  return static_cast<std::uint16_t>(row * options.slices / rows);
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SETTINGS_CODING_SETUP_H_
