// SPDX-License-Identifier: Apache-2.0

// Drawings of a picture's vector field over the picture.
#ifndef MILLRACE_TOOLS_VIDEO_CANVAS_VECTOR_OVERLAY_H_
#define MILLRACE_TOOLS_VIDEO_CANVAS_VECTOR_OVERLAY_H_

#include <millrace/tools/video/canvas/rgb_canvas.h>
#include <millrace/tools/video/picture/picture.h>

#include <span>

namespace millrace::tools {

// A block of a picture and its vector, in luma samples.
struct OverlayBlock {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  double vector_x = 0;
  double vector_y = 0;
  Rgb colour;
};

// Draws pictures of one size: in grey, so that only blocks have colour, and small ones enlarged by
// a whole factor, so that blocks of four samples can be distinguished. Each block has an outline, a
// dot in its middle, and a line from there that is as long as its vector.
class VectorOverlay {
 public:
  // Takes the size of the visible luma plane; `full_range` as in VideoReader.
  VectorOverlay(int width, int height, bool full_range);

  // Returns the drawing, which is valid until the next call. Blocks may extend beyond the visible
  // area.
  const RgbCanvas& draw(const ConstPicturePlane& luma, std::span<const OverlayBlock> blocks);

  // Size of the result.
  int width() const { return canvas_.width(); }
  int height() const { return canvas_.height(); }

  // Returns the pixels per sample, in x and in y.
  int scale() const { return scale_; }

 private:
  void draw_picture(const ConstPicturePlane& luma);
  void draw_outline(const OverlayBlock& block);
  void draw_vector(const OverlayBlock& block);

  int scale_;
  bool full_range_;
  RgbCanvas canvas_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_CANVAS_VECTOR_OVERLAY_H_
