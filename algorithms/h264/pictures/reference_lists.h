// SPDX-License-Identifier: Apache-2.0

// Builds the reference lists of a slice (ITU-T H.264 clause 8.2.4).
#ifndef MILLRACE_ALGORITHMS_H264_PICTURES_REFERENCE_LISTS_H_
#define MILLRACE_ALGORITHMS_H264_PICTURES_REFERENCE_LISTS_H_

#include <millrace/algorithms/h264/pictures/stored_picture.h>
#include <millrace/algorithms/h264/slice.h>

#include <span>

namespace millrace::h264 {

// The picture that a slice belongs to.
struct CurrentPicture {
  int picture_order = 0;
  int max_frame_number = 16;   // MaxFrameNum
  int picture_order_type = 0;  // pic_order_cnt_type
};

// Fills in `slice.references`, each as long as its header says; entries that no picture is for are
// missing (Reference::picture is -1). Returns how many operations name a picture that is not there.
int build_reference_lists(std::span<const StoredPicture> stored, const CurrentPicture& current,
                          Slice& slice);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PICTURES_REFERENCE_LISTS_H_
