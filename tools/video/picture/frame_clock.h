// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_FRAME_CLOCK_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_FRAME_CLOCK_H_

#include <millrace/tools/video/picture/clip_format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace millrace::tools {

// Times of frames that come in the order in which they are shown, in ticks of the clip's clock. A
// frame without a time begins at the end of the frame before. A frame that is not later than the
// frame before begins one tick after it. A frame that is earlier by more frames than decoders
// reorder begins at the end of the frame before, and times count on from there: the clip's clock
// has begun anew, as where two transport streams were joined.
class FrameClock {
 public:
  // Times count from `first`, which is not behind the first frame. `frame` is the duration of
  // frames that do not say theirs.
  FrameClock(std::int64_t first, std::int64_t frame)
      : first_(first), frame_(std::max<std::int64_t>(frame, 1)) {}

  // Adds the next frame. A duration that is not above 0 is not known.
  void add(std::optional<std::int64_t> time, std::int64_t duration) {
    const std::int64_t next = time_ ? time_->begin + time_->duration : 0;
    const std::int64_t least = time_ ? time_->begin + 1 : 0;
    std::int64_t begin = time ? *time - first_ : next;
    if (begin < least - kMostReordered * frame_) {
      first_ = *time - next;
      begin = next;
    }
    time_ = {.begin = std::max(begin, least), .duration = duration > 0 ? duration : frame_};
  }

  // Returns the time of the frame that was added last.
  PictureTime time() const { return time_.value_or(PictureTime{}); }

 private:
  static constexpr std::int64_t kMostReordered = 16;  // Counted in frames, as in H.264 and HEVC.

  std::int64_t first_;
  const std::int64_t frame_;
  std::optional<PictureTime> time_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_FRAME_CLOCK_H_
