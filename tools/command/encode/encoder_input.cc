// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/encode/encoder_input.h>
#include <millrace/tools/video/encoding/sample_copy.h>

namespace millrace::tools {

bool EncoderInput::read(h264::SamplePicture& samples) {
  const TimelineScope scope("host read", "frame");
  if (limit_ > 0 && frames_ >= limit_) return false;
  try {
    if (!clip_.next(picture_)) return false;
  } catch (const Error& error) {
    // A signal came while a pipe was waited for.
    if (!interrupt_.caused(error)) throw;
    return false;
  }
  copy_samples(picture_, samples);
  ++frames_;
  const std::lock_guard lock(mutex_);
  times_.push_back(clip_.time());
  return true;
}

PictureTime EncoderInput::take_time() {
  const std::lock_guard lock(mutex_);
  const PictureTime time = times_.front();
  times_.pop_front();
  return time;
}

}  // namespace millrace::tools
