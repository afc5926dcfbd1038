// SPDX-License-Identifier: Apache-2.0

// Properties of a clip beside its samples: rate, times, aspect, fields and losses.
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_CLIP_FORMAT_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_CLIP_FORMAT_H_

#include <cstdint>

namespace millrace::tools {

// Frames per second as a fraction, such as 30000/1001.
struct FrameRate {
  int numerator = 25;
  int denominator = 1;
};

// Duration of a clock's tick in seconds as a fraction, such as 1/90000.
struct TimeBase {
  int numerator = 1;
  int denominator = 25;
};

// When a picture is shown, and for how long, in ticks of its clip's clock.
struct PictureTime {
  std::int64_t begin = 0;
  std::int64_t duration = 0;
};

// Width to height of a sample as it is shown, such as 16:11. 0:0 is unknown.
struct SampleAspect {
  int numerator = 0;
  int denominator = 0;
};

// The field of a frame that is shown first. kMixed: frames of a clip differ.
enum class FieldOrder { kUnknown, kProgressive, kTopFirst, kBottomFirst, kMixed };

// Returns true if at least some frames have two fields of different times.
constexpr bool is_interlaced(FieldOrder order) {
  return order == FieldOrder::kTopFirst || order == FieldOrder::kBottomFirst ||
         order == FieldOrder::kMixed;
}

// Pictures missing from a coded stream, and pictures damaged by that. They are counted as far as
// the stream shows them, up to the frame that was decoded last.
struct ClipLosses {
  // Pictures that the stream has lost, and pictures in it that cannot be decoded because nothing
  // that they refer to is there.
  std::int64_t lost = 0;
  // Decoded pictures between a loss and the next key picture: the decoder made up what they refer
  // to.
  std::int64_t concealed = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_CLIP_FORMAT_H_
