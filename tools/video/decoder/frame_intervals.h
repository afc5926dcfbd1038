// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_TOOLS_VIDEO_DECODER_FRAME_INTERVALS_H_
#define MILLRACE_TOOLS_VIDEO_DECODER_FRAME_INTERVALS_H_

#include <algorithm>
#include <cstdint>
#include <optional>

namespace millrace::tools {

// The shortest and the longest time from one frame to the next, in ticks of the clip's clock.
class FrameIntervals {
 public:
  // Adds a frame's time; frames come in the order in which they are shown.
  void add(std::int64_t time) {
    if (last_ && time > *last_) {
      shortest_ = shortest_ == 0 ? time - *last_ : std::min(shortest_, time - *last_);
      longest_ = std::max(longest_, time - *last_);
    }
    last_ = time;
  }

  std::int64_t shortest() const { return shortest_; }
  std::int64_t longest() const { return longest_; }

  // Returns true if they differ by more than a quarter and by more than rounding to ticks explains.
  bool differ() const {
    const std::int64_t rounding = shortest_ <= 1 ? 0 : shortest_ <= 4 ? 1 : 2;
    return longest_ - shortest_ > rounding && 4 * longest_ > 5 * shortest_;
  }

 private:
  std::optional<std::int64_t> last_;
  std::int64_t shortest_ = 0;
  std::int64_t longest_ = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_DECODER_FRAME_INTERVALS_H_
