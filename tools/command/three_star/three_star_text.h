// SPDX-License-Identifier: Apache-2.0

// Text on a picture: small letters, digits and the signs of numbers.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_TEXT_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_TEXT_H_

#include <string_view>

#include <millrace/tools/video/canvas/rgb_canvas.h>

namespace millrace::tools {

// Draws from the top left corner (x, y), 14 pixels high and 4 below the line. An unknown character
// leaves a gap.
void draw_text(RgbCanvas& canvas, double x, double y, std::string_view text, const Rgb& colour);

// Returns the width in pixels.
double text_width(std::string_view text);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_TEXT_H_
