// SPDX-License-Identifier: Apache-2.0

// Reads the pictures of any clip that FFmpeg reads, one at a time.
//
//   VideoReader reader("clip.mp4");
//   Picture picture;
//   while (reader.next(picture)) { ... }
#ifndef MILLRACE_TOOLS_VIDEO_VIDEO_READER_H_
#define MILLRACE_TOOLS_VIDEO_VIDEO_READER_H_

#include <millrace/tools/video/picture/clip_format.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/video_reader_options.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

// Decodes the best video stream of a local file or pipe ("-" is standard input) to 8-bit 4:2:0 in
// display order, whatever its own format, in the orientation of the container. Names are never
// taken for protocols or patterns. Memory is bounded, independently of the clip's length. Used by
// one thread at a time.
//
// Threads decode some pictures of a file ahead of the caller. A pipe, of which nothing is taken
// that is not requested, is read by the caller's thread alone. Where several threads decode and one
// of them finds damage, the clip is read again from its beginning by one thread, which names the
// frame.
//
// Every failure is an Error of one line that starts with the file's name: kInvalidArgument for the
// options, kIo for the file. A truncated or damaged file is never taken for a shorter one.
class VideoReader {
 public:
  // Opens the clip and decodes its first picture; throws if there is none.
  explicit VideoReader(const std::string& path, const VideoReaderOptions& options = {});
  ~VideoReader();
  VideoReader(VideoReader&&) noexcept;
  VideoReader& operator=(VideoReader&&) noexcept;

  // Decodes the next picture into `picture`, resized and padded; false at the end of the clip.
  // Throws where the clip is damaged, ends before its container does, or changes its size or
  // format; the sentence says at which frame, the first being 0.
  bool next(Picture& picture);

  // Size of the visible picture, as it is shown.
  int width() const;
  int height() const;

  // Returns the mean rate where frames have different durations, and 25/1 for raw video and other
  // clips that have no rate.
  FrameRate frame_rate() const;

  // Returns the clock of time(); none for a clip whose pictures have no times: raw video, y4m and
  // byte streams. They follow at frame_rate().
  std::optional<TimeBase> time_base() const;

  // Returns the time of the picture that next() returned last, from the begin of the clip, which is
  // that of the earliest stream of its container. Times rise. A duration is what the container says
  // of the picture, or else that of a frame.
  PictureTime time() const;

  // Number of frames by the container or its duration; 0 if unknown. May be inexact.
  std::int64_t expected_frames() const;

  // True if samples use 0..255 rather than 16..235.
  bool full_range() const;

  // True if chroma samples are at the left luma samples rather than between the two.
  bool chroma_left() const;

  // Width to height of samples, as they are shown.
  SampleAspect aspect() const;

  // Returns kUnknown for pictures that are rotated by 90 degrees, whose fields are columns.
  FieldOrder field_order() const;

  // Returns the losses so far.
  ClipLosses losses() const;

  // Returns the codec and sample format, such as "h264, yuv444p".
  std::string source_format() const;

  // Returns a note if samples were not 8-bit 4:2:0 and had to be converted, else "".
  std::string converted() const;

  // Returns a note if the size is not a multiple of 16 and pictures are padded, else "".
  std::string padded() const;

  // Returns a note if the container requests that pictures are rotated or flipped, done or not,
  // else "".
  std::string turned() const;

  // Returns notes that are known once the clip was read: about lost pictures, empty samples and,
  // unless the caller keeps the times of pictures, frames of different durations.
  std::vector<std::string> irregularities(bool keeps_times = false) const;

  // Returns a message if the file is known from the start to be shorter than its container
  // declares, else "". next() delivers the complete pictures and then throws.
  std::string truncated() const;

 private:
  struct State;

  std::unique_ptr<State> state_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_VIDEO_READER_H_
