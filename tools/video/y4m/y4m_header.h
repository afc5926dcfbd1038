// SPDX-License-Identifier: Apache-2.0

// The first line of YUV4MPEG2 (y4m).
#ifndef MILLRACE_TOOLS_VIDEO_Y4M_Y4M_HEADER_H_
#define MILLRACE_TOOLS_VIDEO_Y4M_Y4M_HEADER_H_

#include <millrace/tools/video/picture/clip_format.h>

#include <string>
#include <string_view>

namespace millrace::tools {

struct Y4mHeader {
  int width = 0;
  int height = 0;
  FrameRate rate = {};  // 25/1 if the header has none.
  SampleAspect aspect = {};
  FieldOrder field_order = FieldOrder::kUnknown;

  // FFmpeg's name of the sample format, such as yuv420p10le.
  std::string pixel_format = "yuv420p";

  enum class ChromaSite { kUnknown, kCentre, kLeft, kTopLeft };
  ChromaSite chroma_site = ChromaSite::kCentre;

  enum class Range { kUnknown, kLimited, kFull };
  Range range = Range::kUnknown;
};

// Bytes that a y4m file begins with.
inline constexpr std::string_view kY4mMagic = "YUV4MPEG2";

// Parses a header line, without its end. Tags may be in any order; unknown ones and comments are
// skipped. Throws Error (kIo) with a message that starts with "y4m" if there is no size, or an
// unknown colour space (C).
Y4mHeader parse_y4m_header(std::string_view line);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_Y4M_Y4M_HEADER_H_
