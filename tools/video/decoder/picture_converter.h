// SPDX-License-Identifier: Apache-2.0

// FFmpeg's frames as pictures.
#ifndef MILLRACE_TOOLS_VIDEO_DECODER_PICTURE_CONVERTER_H_
#define MILLRACE_TOOLS_VIDEO_DECODER_PICTURE_CONVERTER_H_

#include <millrace/tools/video/decoder/libav.h>
#include <millrace/tools/video/picture/picture.h>

#include <string>

namespace millrace::tools {

// Converts frames of the size and format of the first one. 8-bit 4:2:0 samples are
// copied; others go through swscale and keep their range, except RGB, which becomes 16..235.
class PictureConverter {
 public:
  // Throws Error(kUnsupported) if swscale cannot read the format.
  explicit PictureConverter(const AVFrame& like);

  // Returns true if `frame` has the size, format and range of the frame it was made for.
  bool fits(const AVFrame& frame) const;

  // Resizes and pads `picture`.
  void convert(const AVFrame& frame, Picture& picture);

  // Returns a text such as "yuv444p 1280x720".
  static std::string describe(const AVFrame& frame);

  // True if the pictures use 0..255 rather than 16..235.
  bool full_range() const { return full_range_; }

  // True if chroma samples are at the left luma samples rather than between the two.
  bool chroma_left() const { return chroma_left_; }

  // Returns "", or a message if samples are changed.
  std::string converted() const;

 private:
  void copy(const AVFrame& frame, Picture& picture) const;

  int width_;
  int height_;
  AVPixelFormat format_;
  bool full_range_;
  bool chroma_left_;
  LibavPointer<SwsContext> scaler_;  // Null when samples are copied.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_DECODER_PICTURE_CONVERTER_H_
