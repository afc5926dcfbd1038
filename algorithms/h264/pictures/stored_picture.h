// SPDX-License-Identifier: Apache-2.0

// A picture that is kept after it was decoded, for reference or for output (ITU-T H.264 clauses
// 8.2.4.1 and C.4).
#ifndef MILLRACE_ALGORITHMS_H264_PICTURES_STORED_PICTURE_H_
#define MILLRACE_ALGORITHMS_H264_PICTURES_STORED_PICTURE_H_

#include <millrace/algorithms/h264/parsed_picture.h>

#include <cstdint>
#include <memory>

namespace millrace::h264 {

enum class ReferenceMarking : std::uint8_t { kUnused, kShortTerm, kLongTerm };

struct StoredPicture {
  std::int64_t id = 0;
  std::shared_ptr<const ParsedPicture> parsed;  // Null: inferred, or no longer a reference.
  int frame_number = 0;
  int picture_order = 0;  // Since the last reset by memory_management_control_operation 5.
  ReferenceMarking marking = ReferenceMarking::kUnused;
  int long_term_index = 0;  // LongTermFrameIdx, which is LongTermPicNum of frames.
  bool is_inferred = false;
  bool awaits_output = false;

  bool is_reference() const { return marking != ReferenceMarking::kUnused; }
  bool is_short_term() const { return marking == ReferenceMarking::kShortTerm; }
  bool is_long_term() const { return marking == ReferenceMarking::kLongTerm; }
};

// Returns FrameNumWrap, which is PicNum of frames (equations 8-27 and 8-28).
inline int picture_number(const StoredPicture& picture, int current_frame_number,
                          int max_frame_number) {
  return picture.frame_number > current_frame_number ? picture.frame_number - max_frame_number
                                                     : picture.frame_number;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PICTURES_STORED_PICTURE_H_
