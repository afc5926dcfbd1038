// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/canvas/vector_overlay.h>

#include <algorithm>
#include <cstdint>

namespace millrace::tools {
namespace {

constexpr double kOutlineFraction = 0.45;
constexpr double kLinePixels = 1.4;
constexpr double kDotPixels = 2.4;

int scale_of(int width, int height) {
  constexpr int kWideEnough = 1600;
  constexpr int kMost = 4;
  // Wide enough, but not higher than a Picture may be.
  const int scale = std::min((kWideEnough + width - 1) / width, Picture::kMaxSize / height);
  return std::clamp(scale, 1, kMost);
}

// Returns the grey of a monitor, somewhat darker, because colours are drawn over it.
Rgb grey(std::uint8_t sample, bool full_range) {
  constexpr int kDarker = 200;
  const int light = full_range ? sample : std::clamp((sample - 16) * 255 / 219, 0, 255);
  const auto value = static_cast<std::uint8_t>(light * kDarker / 255);
  return {value, value, value};
}

}  // namespace

VectorOverlay::VectorOverlay(int width, int height, bool full_range)
    : scale_(scale_of(width, height)),
      full_range_(full_range),
      canvas_(width * scale_, height * scale_) {}

const RgbCanvas& VectorOverlay::draw(const ConstPicturePlane& luma,
                                     std::span<const OverlayBlock> blocks) {
  draw_picture(luma);
  for (const OverlayBlock& block : blocks) draw_outline(block);
  // Drawn over all outlines, because vectors extend into other blocks.
  for (const OverlayBlock& block : blocks) draw_vector(block);
  return canvas_;
}

void VectorOverlay::draw_picture(const ConstPicturePlane& luma) {
  for (int y = 0; y < canvas_.height(); ++y) {
    const std::uint8_t* const samples = luma.row(y / scale_);
    for (int x = 0; x < canvas_.width(); ++x) {
      canvas_.set(x, y, grey(samples[x / scale_], full_range_));
    }
  }
}

void VectorOverlay::draw_outline(const OverlayBlock& block) {
  canvas_.outline(block.x * scale_, block.y * scale_, block.width * scale_, block.height * scale_,
                  block.colour, kOutlineFraction);
}

void VectorOverlay::draw_vector(const OverlayBlock& block) {
  const CanvasPoint middle = {(block.x + block.width / 2.0) * scale_,
                              (block.y + block.height / 2.0) * scale_};
  const CanvasPoint end = {middle.x + block.vector_x * scale_, middle.y + block.vector_y * scale_};
  canvas_.line(middle, end, kLinePixels, block.colour);
  canvas_.line(middle, middle, kDotPixels, block.colour);
}

}  // namespace millrace::tools
