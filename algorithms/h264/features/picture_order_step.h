// SPDX-License-Identifier: Apache-2.0

// The PicOrderCnt from one picture of a stream to the next in output order.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_PICTURE_ORDER_STEP_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_PICTURE_ORDER_STEP_H_

#include <millrace/algorithms/h264/parsed_picture.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace millrace::h264 {

// One stream's step: the least difference of PicOrderCnt between pictures so far, at most 2, which
// is that of most encoders.
class PictureOrderStep {
 public:
  // Returns the step, 1 or 2, with which the next picture in decoding order is measured. Inferred
  // pictures must not be passed. Passing the same picture again changes nothing.
  int follow(const ParsedPicture& picture) {
    if (picture.is_idr) last_ = kNone;
    if (last_ != kNone) {
      const std::int64_t difference = std::abs(picture.picture_order - last_);
      if (difference > 0) step_ = static_cast<int>(std::min<std::int64_t>(difference, step_));
    }
    last_ = picture.picture_order;
    return step_;
  }

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

  int step_ = 2;
  std::int64_t last_ = kNone;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_PICTURE_ORDER_STEP_H_
