// SPDX-License-Identifier: Apache-2.0

// The vector field of a picture, drawn over it.
#ifndef MILLRACE_TOOLS_VIDEO_CANVAS_VECTOR_OVERLAY_H_
#define MILLRACE_TOOLS_VIDEO_CANVAS_VECTOR_OVERLAY_H_

#include <span>

#include <millrace/tools/video/canvas/rgb_canvas.h>
#include <millrace/tools/video/picture/picture.h>

namespace millrace::tools {

// A block of a picture and where it is predicted from, in luma samples.
struct OverlayBlock {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  double vector_x = 0;
  double vector_y = 0;
  Rgb colour;
};

// Draws pictures of one size: in grey, so that colour is the blocks' alone, and small ones enlarged
// a whole number of times, so that blocks of four samples can be told apart. Each block has its
// outline, a dot in its middle, and a line from there that is as long as its vector.
class VectorOverlay {
 public:
  // Takes the size of the visible luma plane; `full_range` as in VideoReader.
  VectorOverlay(int width, int height, bool full_range);

  // The result, until the next one is drawn. Blocks may reach beyond what is visible.
  const RgbCanvas& draw(const ConstPicturePlane& luma, std::span<const OverlayBlock> blocks);

  // Size of the result.
  int width() const { return canvas_.width(); }
  int height() const { return canvas_.height(); }

  // Pixels a sample, in x and in y.
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
