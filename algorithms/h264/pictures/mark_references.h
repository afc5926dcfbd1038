// SPDX-License-Identifier: Apache-2.0

// Marks decoded pictures as references (ITU-T H.264 clause 8.2.5).
#ifndef MILLRACE_ALGORITHMS_H264_PICTURES_MARK_REFERENCES_H_
#define MILLRACE_ALGORITHMS_H264_PICTURES_MARK_REFERENCES_H_

#include <millrace/algorithms/h264/pictures/stored_picture.h>
#include <millrace/algorithms/h264/slice.h>

#include <vector>

namespace millrace::h264 {

struct MarkingLimits {
  int max_frame_number = 16;     // MaxFrameNum
  int max_reference_frames = 1;  // max_num_ref_frames
  int max_long_term_index = 15;  // MaxLongTermFrameIdx; -1: "no long-term frame indices".
};

struct MarkingResult {
  bool has_reset = false;        // memory_management_control_operation 5 sets it.
  const char* damage = nullptr;  // The first operation that could not be done, and why.
};

// Unmarks the oldest short-term references until `current_frame_number` can be one more of them
// (clause 8.2.5.3).
void slide_window(std::vector<StoredPicture>& stored, int current_frame_number,
                  const MarkingLimits& limits);

// Marks `current`, a reference picture that is not among `stored` yet, and the others as its header
// requests. Afterwards there are fewer than max_reference_frames others. Updates
// `limits.max_long_term_index`.
MarkingResult mark_references(std::vector<StoredPicture>& stored, StoredPicture& current,
                              const SliceHeader& header, MarkingLimits& limits);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PICTURES_MARK_REFERENCES_H_
