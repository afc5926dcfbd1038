// SPDX-License-Identifier: Apache-2.0

// Pictures of the Mandelbrot set by Mariani and Silver's algorithm.
#ifndef MILLRACE_DOCS_EXAMPLES_MANDELBROT_H_
#define MILLRACE_DOCS_EXAMPLES_MANDELBROT_H_

#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::examples {

// A view of the plane: the picture's centre and its width. Its height follows from the pixels,
// which are square.
struct MandelbrotView {
  double re = -0.6;
  double im = 0;
  double width = 4;
};

// The names parse_view knows.
std::vector<std::string> preset_views();

// A preset's name, or "RE,IM,WIDTH". Throws kInvalidArgument with the presets' names.
MandelbrotView parse_view(std::string_view text);

struct MandelbrotOptions {
  int width = 1280;  // 1 to 16384 pixels each way.
  int height = 720;
  std::uint32_t max_dwell = 1000;  // 1 to 1,000,000.
  MandelbrotView view = {};        // Within 4 of both axes; a pixel is at least 2^-22 wide.
  RunOptions run = {};
};

struct MandelbrotResult {
  std::vector<std::uint32_t> dwells;  // width * height, row by row from the top.
  std::uint64_t computed = 0;         // Pixels; the others were filled in.
  RunReport report;
};

// Throws kInvalidArgument for options out of range, and what run_tasks throws.
MandelbrotResult draw_mandelbrot(Queue& queue, const MandelbrotOptions& options);

// Every pixel's dwell, one after the other on this thread: what draw_mandelbrot should give.
std::vector<std::uint32_t> draw_mandelbrot_directly(const MandelbrotOptions& options);

// Number of pixels in which two pictures differ. A filament thinner than a pixel can slip through
// the border of a rectangle, so draw_mandelbrot may fill over some pixels, the same under every
// policy: at most 3 of 230,400 in 70 random views along the boundary, 0 in most.
std::size_t count_different(const std::vector<std::uint32_t>& first,
                            const std::vector<std::uint32_t>& second);
inline constexpr double kMissedPixels = 1e-4;

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_MANDELBROT_H_
