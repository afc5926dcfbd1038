// SPDX-License-Identifier: Apache-2.0

// The pictures of a clip on their way to an encoder.
#ifndef MILLRACE_TOOLS_COMMAND_ENCODE_ENCODER_INPUT_H_
#define MILLRACE_TOOLS_COMMAND_ENCODE_ENCODER_INPUT_H_

#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/video_reader.h>

#include <cstdint>
#include <deque>
#include <mutex>

namespace millrace::tools {

// Reads up to --frames pictures, and keeps their times until they are encoded. read() is called by
// one thread at a time, and take_time() by one, which may be another.
class EncoderInput {
 public:
  // Reads `limit` pictures, or all if it is 0. The clip and the guard must outlive it.
  EncoderInput(VideoReader& clip, std::int64_t limit, const InterruptGuard& interrupt)
      : clip_(clip), limit_(limit), interrupt_(interrupt) {}

  // Reads the next picture; false at the end. After a signal there are more pictures, until the
  // encoder has a whole group. Throws as VideoReader::next() does.
  bool read(h264::SamplePicture& samples);

  // Returns the time of the next picture in the order of read(), which has read it.
  PictureTime take_time();

 private:
  VideoReader& clip_;
  const std::int64_t limit_;
  const InterruptGuard& interrupt_;
  Picture picture_;
  std::int64_t frames_ = 0;

  std::mutex mutex_;  // Guards the one below.
  std::deque<PictureTime> times_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ENCODE_ENCODER_INPUT_H_
