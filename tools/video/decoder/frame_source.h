// SPDX-License-Identifier: Apache-2.0

// Sources of frames: a container that FFmpeg reads, or uncompressed frames of a file.
#ifndef MILLRACE_TOOLS_VIDEO_DECODER_FRAME_SOURCE_H_
#define MILLRACE_TOOLS_VIDEO_DECODER_FRAME_SOURCE_H_

#include <millrace/tools/video/decoder/libav.h>
#include <millrace/tools/video/picture/clip_format.h>
#include <millrace/tools/video/picture/orientation.h>

#include <cstdint>
#include <optional>
#include <string>

namespace millrace::tools {

// Every failure is an Error (kIo) whose sentence starts with the clip's path. Used by one thread at
// a time.
class FrameSource {
 public:
  virtual ~FrameSource() = default;

  // Returns the next frame in display order, valid until the next call; null at the end of the
  // clip.
  virtual const AVFrame* next() = 0;

  // Returns true if next() returned null since threads are at work that may miss damage: the clip
  // is to be read again by one thread.
  virtual bool is_in_doubt() const { return false; }

  // Number of the frame that next() returned last; the first is 0.
  virtual std::int64_t frame_number() const = 0;

  virtual FrameRate frame_rate() const = 0;

  // Returns 0 if the number is not known.
  virtual std::int64_t expected_frames() const = 0;

  virtual std::string codec_name() const = 0;

  // Returns "", or a message about bytes that are missing at the end of the file.
  virtual std::string truncated() const = 0;

  // The following are known once next() has returned the first frame. They are of pictures as they
  // are stored.
  virtual SampleAspect aspect() const = 0;
  virtual FieldOrder field_order() const = 0;

  // Returns a matrix of zeros if the clip has none.
  virtual DisplayMatrix display_matrix() const { return {}; }

  // Returns the clock of frame_time(); none if frames have no times, and follow at frame_rate().
  virtual std::optional<TimeBase> time_base() const { return {}; }

  // Returns the time of the frame that next() returned last. Times begin at 0 or later, and rise.
  virtual PictureTime frame_time() const { return {}; }

  // The following grow with every frame.
  virtual ClipLosses losses() const { return {}; }

  // Returns the number of samples without bytes, which repeat the picture before and were skipped.
  virtual std::int64_t empty_samples() const { return 0; }

  // Returns "", or a message if frames have different durations.
  virtual std::string irregular() const { return ""; }
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_DECODER_FRAME_SOURCE_H_
