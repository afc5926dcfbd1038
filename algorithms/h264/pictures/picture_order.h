// SPDX-License-Identifier: Apache-2.0

// Picture order counts of frames (ITU-T H.264 clause 8.2.1).
#ifndef MILLRACE_ALGORITHMS_H264_PICTURES_PICTURE_ORDER_H_
#define MILLRACE_ALGORITHMS_H264_PICTURES_PICTURE_ORDER_H_

#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/slice.h>

#include <algorithm>
#include <cstdint>

namespace millrace::h264 {

struct PictureOrder {
  int top = 0;     // TopFieldOrderCnt
  int bottom = 0;  // BottomFieldOrderCnt

  int frame() const { return std::min(top, bottom); }  // PicOrderCnt
};

// Counts the pictures of a stream, in decoding order: begin() and then end() of each. Counts of
// damaged streams are limited to 30 bits, so differences of two never overflow.
class PictureOrderCounter {
 public:
  // Returns the counts of the picture that `header` belongs to.
  PictureOrder begin(const SequenceParameters& sequence, const SliceHeader& header);
  // Ends the picture that begin() was called for.
  void end(bool is_reference);
  // Ends it where memory_management_control_operation 5 resets the counts; returns those that the
  // picture has from then on.
  PictureOrder end_with_reset();

 private:
  PictureOrder of_type_0(const SequenceParameters& sequence, const SliceHeader& header);
  PictureOrder of_type_1(const SequenceParameters& sequence, const SliceHeader& header) const;
  PictureOrder of_type_2(const SliceHeader& header) const;

  PictureOrder order_;             // The current picture's.
  std::int64_t msb_ = 0;           // PicOrderCntMsb and, of the reference before it,
  std::int64_t previous_msb_ = 0;  // prevPicOrderCntMsb and prevPicOrderCntLsb.
  std::int64_t previous_lsb_ = 0;
  std::int64_t lsb_ = 0;
  std::int64_t frame_number_ = 0;  // prevFrameNum and prevFrameNumOffset between pictures.
  std::int64_t frame_number_offset_ = 0;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PICTURES_PICTURE_ORDER_H_
