// SPDX-License-Identifier: Apache-2.0

// The frames of a reader: of a container that FFmpeg reads, or as they lie in a file.
#ifndef MILLRACE_TOOLS_VIDEO_DECODER_FRAME_SOURCE_H_
#define MILLRACE_TOOLS_VIDEO_DECODER_FRAME_SOURCE_H_

#include <cstdint>
#include <string>

#include <millrace/tools/video/decoder/libav.h>
#include <millrace/tools/video/picture/clip_losses.h>
#include <millrace/tools/video/picture/field_order.h>
#include <millrace/tools/video/picture/frame_rate.h>
#include <millrace/tools/video/picture/orientation.h>
#include <millrace/tools/video/picture/sample_aspect.h>

namespace millrace::tools {

// Every failure is an Error (kIo) whose sentence starts with the clip's path. Used by one thread at
// a time.
class FrameSource {
 public:
  virtual ~FrameSource() = default;

  // The next frame in display order, valid until the next call; null at the end of the clip.
  virtual const AVFrame* next() = 0;

  // Number of the frame that next() returned last; the first is 0.
  virtual std::int64_t frame_number() const = 0;

  virtual FrameRate frame_rate() const = 0;

  // 0 where it is not known.
  virtual std::int64_t expected_frames() const = 0;

  virtual std::string codec_name() const = 0;

  // "", or a sentence about what is known to be missing from the end of the file.
  virtual std::string truncated() const = 0;

  // The following are known once next() has returned the first frame. They are of pictures as they
  // are stored.
  virtual SampleAspect aspect() const = 0;
  virtual FieldOrder field_order() const = 0;

  // A matrix of zeros where the clip has none.
  virtual DisplayMatrix display_matrix() const { return {}; }

  // The following grow with every frame.
  virtual ClipLosses losses() const { return {}; }

  // Samples of no bytes, which stand for the picture before them and were skipped.
  virtual std::int64_t empty_samples() const { return 0; }

  // "", or a sentence where frames last for different times.
  virtual std::string irregular() const { return ""; }
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_DECODER_FRAME_SOURCE_H_
