// SPDX-License-Identifier: Apache-2.0

// Text on a picture, in DejaVu Sans, which the program has in itself: it draws where no font is
// installed, and the same everywhere.
#ifndef MILLRACE_TOOLS_VIDEO_CANVAS_CANVAS_TEXT_H_
#define MILLRACE_TOOLS_VIDEO_CANVAS_CANVAS_TEXT_H_

#include <millrace/tools/video/canvas/rgb_canvas.h>

#include <string_view>

namespace millrace::tools {

// The font's size in pixels.
inline constexpr int kTextPixels = 16;

// Blends UTF-8 text into the canvas from `x` to the right, on the base line `y`. A character that
// the font has not is its box. Any thread may call it, each with its own canvas. Throws
// Error(kInternal) if FreeType fails.
void draw_text(RgbCanvas& canvas, double x, double y, std::string_view text, const Rgb& colour);

// Returns the width in pixels. Throws likewise.
double text_width(std::string_view text);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_CANVAS_CANVAS_TEXT_H_
