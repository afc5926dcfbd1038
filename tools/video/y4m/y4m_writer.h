// SPDX-License-Identifier: Apache-2.0

// Writes pictures as YUV4MPEG2 (y4m), which ffplay, ffmpeg and mpv open.
//
//   OutputFile file("out.y4m", force);
//   Y4mWriter writer(file.stream(), {.width = 352, .height = 288});
//   writer.write(picture);
//   file.commit();
#ifndef MILLRACE_TOOLS_VIDEO_Y4M_Y4M_WRITER_H_
#define MILLRACE_TOOLS_VIDEO_Y4M_Y4M_WRITER_H_

#include <millrace/tools/video/picture/clip_format.h>
#include <millrace/tools/video/picture/picture.h>

#include <cstdint>
#include <ostream>

namespace millrace::tools {

struct Y4mFormat {
  int width = 0;
  int height = 0;
  FrameRate rate = {};
  bool full_range = false;

  // True if chroma samples are at the left luma samples (420mpeg2), not between the two (420jpeg).
  bool chroma_left = false;

  SampleAspect aspect = {};
  FieldOrder field_order = FieldOrder::kProgressive;
};

// Writes the visible area of 8-bit 4:2:0 pictures. The stream must outlive it. Used by one thread
// at a time.
class Y4mWriter {
 public:
  // Writes the header. Throws Error(kInvalidArgument) for a size or rate that is not positive,
  // Error(kIo) when the stream fails.
  Y4mWriter(std::ostream& out, const Y4mFormat& format);

  // Throws Error(kInvalidArgument) unless `picture` has the size of the format, Error(kIo) when
  // the stream fails.
  void write(const Picture& picture);

  // Returns the number of pictures written so far.
  std::int64_t frames() const { return frames_; }

 private:
  void check_stream() const;

  std::ostream& out_;
  int width_;
  int height_;
  std::int64_t frames_ = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_Y4M_Y4M_WRITER_H_
