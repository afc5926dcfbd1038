// SPDX-License-Identifier: Apache-2.0

// Makes the MeasuredPicture of a ParsedPicture in host memory.
//
//   MeasuredPictureMaker maker;
//   const MeasuredPicture measured = maker.make(*picture, step);
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_MEASURED_PICTURE_MAKER_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_MEASURED_PICTURE_MAKER_H_

#include <millrace/algorithms/h264/features/measured_picture.h>
#include <millrace/algorithms/h264/parsed_picture.h>

#include <vector>

namespace millrace::h264 {

// Appends the entries of a slice's two lists, those of RefPicList0 first. `picture_order_step` is
// the PicOrderCnt from one picture to the next in output order, 1 or 2. Distances beyond 32 bits,
// which no valid stream has, become the greatest value.
void append_references(const ParsedPicture& picture, const Slice& slice, int picture_order_step,
                       std::vector<MeasuredReference>& references);

// Owns the slices and references of the picture that it made last.
class MeasuredPictureMaker {
 public:
  // Returns a view that is valid until the next call and while `picture` lives unchanged. A picture
  // whose number of macroblocks is not that of its sequence parameters becomes one row.
  MeasuredPicture make(const ParsedPicture& picture, int picture_order_step);

 private:
  std::vector<MeasuredReference> references_;
  std::vector<MeasuredSlice> slices_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_MEASURED_PICTURE_MAKER_H_
