// SPDX-License-Identifier: Apache-2.0

// The font that the program has in itself. The build makes the source of these.
#ifndef MILLRACE_TOOLS_VIDEO_CANVAS_EMBEDDED_FONT_H_
#define MILLRACE_TOOLS_VIDEO_CANVAS_EMBEDDED_FONT_H_

#include <cstddef>

namespace millrace::tools {

// The bytes of DejaVuSans.ttf.
extern const unsigned char kEmbeddedFont[];
extern const std::size_t kEmbeddedFontBytes;

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_CANVAS_EMBEDDED_FONT_H_
