// SPDX-License-Identifier: Apache-2.0

// A picture as it is shown.
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_DECODED_FRAME_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_DECODED_FRAME_H_

#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/pictures/damage_tracker.h>
#include <millrace/algorithms/h264/sample_picture.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Both pointers are valid during the call that passes the frame.
struct DecodedFrame {
  std::int64_t picture = 0;  // ParsedPicture::id
  const SamplePicture* samples = nullptr;
  const SequenceParameters* sequence = nullptr;  // Has the cropping, in luma samples.
  int concealed_macroblocks = 0;                 // Copied from another picture.
  PictureDamage damage = {};

  int width(int plane) const { return in_plane(sequence->width(), plane); }
  int height(int plane) const { return in_plane(sequence->height(), plane); }
  // Returns the first sample that is shown. Rows are at a distance of samples->width(plane).
  const std::uint8_t* first_sample(int plane) const {
    const std::ptrdiff_t x = plane == 0 ? sequence->crop_left : sequence->crop_left / 2;
    const std::ptrdiff_t y = plane == 0 ? sequence->crop_top : sequence->crop_top / 2;
    return samples->plane(plane) + y * samples->width(plane) + x;
  }

 private:
  static int in_plane(int length, int plane) { return plane == 0 ? length : length / 2; }
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_DECODED_FRAME_H_
