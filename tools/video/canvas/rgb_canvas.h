// SPDX-License-Identifier: Apache-2.0

// An RGB picture to draw on.
#ifndef MILLRACE_TOOLS_VIDEO_CANVAS_RGB_CANVAS_H_
#define MILLRACE_TOOLS_VIDEO_CANVAS_RGB_CANVAS_H_

#include <millrace/tools/video/picture/picture.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <vector>

namespace millrace::tools {

struct Rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  friend bool operator==(const Rgb&, const Rgb&) = default;
};

// A position in pixels from the top left corner; the middle of the first pixel is (0.5, 0.5).
struct CanvasPoint {
  double x = 0;
  double y = 0;
};

// Drawing outside of it has no effect.
class RgbCanvas {
 public:
  // Constructs a black picture. Both sizes are positive.
  RgbCanvas(int width, int height);

  int width() const { return width_; }
  int height() const { return height_; }

  Rgb at(int x, int y) const { return pixels_[index(x, y)]; }
  void set(int x, int y, const Rgb& colour) { pixels_[index(x, y)] = colour; }

  // Returns the pixels in rows from the top, without padding.
  std::span<const Rgb> pixels() const { return pixels_; }

  // Blends `fraction`, 0 to 1, of `colour` into a pixel.
  void blend(int x, int y, const Rgb& colour, double fraction);

  // Blends the pixels along the inside of a rectangle's edges.
  void outline(int x, int y, int width, int height, const Rgb& colour, double fraction);

  // Draws an antialiased line between the centres of its round ends, `thickness` pixels thick.
  void line(const CanvasPoint& from, const CanvasPoint& to, double thickness, const Rgb& colour);

 private:
  std::size_t index(int x, int y) const { return static_cast<std::size_t>(y) * width_ + x; }

  int width_;
  int height_;
  std::vector<Rgb> pixels_;
};

// Converts to 4:2:0 by ITU-R BT.601 in the range 16..235, with chroma between the luma samples.
void convert(const RgbCanvas& canvas, Picture& picture);

// Writes a PNG file. Throws Error(kIo) when libpng fails; errors of the stream are the stream's.
void write_png(const RgbCanvas& canvas, std::ostream& stream);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_CANVAS_RGB_CANVAS_H_
