// SPDX-License-Identifier: Apache-2.0

// Decodes the frames of a clip, whatever its format, and converts them to pictures.
#ifndef MILLRACE_TOOLS_VIDEO_CLIP_READER_H_
#define MILLRACE_TOOLS_VIDEO_CLIP_READER_H_

#include <millrace/tools/video/decoder/frame_source.h>
#include <millrace/tools/video/decoder/picture_converter.h>
#include <millrace/tools/video/picture/clip_format.h>
#include <millrace/tools/video/picture/orientation.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/read_picture.h>
#include <millrace/tools/video/video_reader_options.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace millrace::tools {

// next() and facts() are called by one thread at a time. The others state what does not change once
// the clip is open, and any thread may call them. Throws what VideoReader throws.
class ClipReader {
 public:
  // Opens the clip and decodes its first frame, by at most `threads` threads. With more than one
  // the clip can be opened again.
  ClipReader(const std::string& path, const VideoReaderOptions& options, int threads);

  // Decodes the next picture; false at the end of the clip. Sets the facts in any case. After a
  // stop request a clip that is read again ends, and after a signal (interrupt_guard.h) it throws
  // kCancelled.
  bool next(ReadPicture& picture, const std::stop_token& stop = {});

  // Returns the facts up to the frame that was decoded last.
  ClipFacts facts() const;

  int width() const { return width_; }
  int height() const { return height_; }
  FrameRate frame_rate() const { return rate_; }
  std::int64_t expected_frames() const { return expected_frames_; }
  std::optional<TimeBase> time_base() const { return time_base_; }
  SampleAspect aspect() const { return aspect_; }
  FieldOrder field_order() const { return field_order_; }
  DisplayMatrix display_matrix() const { return display_matrix_; }
  const Orientation& orientation() const { return orientation_; }
  const PictureConverter& converter() const { return *converter_; }
  std::string source_format() const {
    return codec_name_ + ", " + format_.substr(0, format_.find(' '));
  }

 private:
  const AVFrame* next_frame(const std::stop_token& stop);

  // Reads the clip from its beginning by one thread, up to the frame behind those that have come.
  const AVFrame* next_frame_again(const std::stop_token& stop);

  void check_unchanged(const AVFrame& now) const;

  const std::string path_;
  const VideoReaderOptions options_;
  std::int64_t frames_ = 0;              // Number of frames that next_frame() has returned.
  std::unique_ptr<FrameSource> source_;  // Null if the clip could not be opened again.
  const AVFrame* frame_;                 // Comes from the source and is next; may be null.
  const FrameRate rate_;
  const std::int64_t expected_frames_;
  const std::string codec_name_;
  const std::optional<TimeBase> time_base_;
  const SampleAspect aspect_;
  const FieldOrder field_order_;
  const DisplayMatrix display_matrix_;
  int width_ = 0;
  int height_ = 0;
  std::string format_;
  std::optional<PictureConverter> converter_;
  Orientation orientation_;
  Picture stored_;  // The picture before it is rotated.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_CLIP_READER_H_
