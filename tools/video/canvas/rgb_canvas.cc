// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/canvas/rgb_canvas.h>

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace millrace::tools {
namespace {

std::uint8_t mix(int from, int to, double fraction) {
  return static_cast<std::uint8_t>(std::lround(from + fraction * (to - from)));
}

double distance_to_segment(const CanvasPoint& point, const CanvasPoint& from,
                           const CanvasPoint& to) {
  const double dx = to.x - from.x;
  const double dy = to.y - from.y;
  const double squared_length = dx * dx + dy * dy;
  double along = 0;
  if (squared_length > 0) {
    along = ((point.x - from.x) * dx + (point.y - from.y) * dy) / squared_length;
    along = std::clamp(along, 0.0, 1.0);
  }
  return std::hypot(point.x - from.x - along * dx, point.y - from.y - along * dy);
}

struct YCbCr {
  double y = 0;
  double cb = 0;
  double cr = 0;
};

YCbCr to_ycbcr(const Rgb& colour) {
  constexpr double kRed = 0.299;
  constexpr double kBlue = 0.114;
  const double red = colour.red / 255.0;
  const double blue = colour.blue / 255.0;
  const double y = kRed * red + (1 - kRed - kBlue) * colour.green / 255.0 + kBlue * blue;
  return {16 + 219 * y, 128 + 112 * (blue - y) / (1 - kBlue), 128 + 112 * (red - y) / (1 - kRed)};
}

std::uint8_t rounded(double value) { return static_cast<std::uint8_t>(std::lround(value)); }

}  // namespace

RgbCanvas::RgbCanvas(int width, int height)
    : width_(width), height_(height), pixels_(static_cast<std::size_t>(width) * height) {}

void RgbCanvas::blend(int x, int y, const Rgb& colour, double fraction) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  Rgb& pixel = pixels_[index(x, y)];
  pixel = {mix(pixel.red, colour.red, fraction), mix(pixel.green, colour.green, fraction),
           mix(pixel.blue, colour.blue, fraction)};
}

void RgbCanvas::outline(int x, int y, int width, int height, const Rgb& colour, double fraction) {
  for (int column = x; column < x + width; ++column) {
    blend(column, y, colour, fraction);
    if (height > 1) blend(column, y + height - 1, colour, fraction);
  }
  for (int row = y + 1; row < y + height - 1; ++row) {
    blend(x, row, colour, fraction);
    if (width > 1) blend(x + width - 1, row, colour, fraction);
  }
}

void RgbCanvas::line(const CanvasPoint& from, const CanvasPoint& to, double thickness,
                     const Rgb& colour) {
  // Draws by rows or by columns, whichever the line crosses more of, so that each has fewer pixels.
  const bool is_steep = std::abs(to.y - from.y) > std::abs(to.x - from.x);
  const auto turned = [is_steep](const CanvasPoint& point) {
    return is_steep ? CanvasPoint{point.y, point.x} : point;
  };
  const CanvasPoint first = turned(from);
  const CanvasPoint last = turned(to);
  const double margin = thickness / 2 + 1;
  const double low = std::max(std::min(first.x, last.x) - margin, 0.0);
  const double high =
      std::min<double>(std::max(first.x, last.x) + margin, is_steep ? height_ : width_);
  const double length = last.x - first.x;
  for (int i = static_cast<int>(low); i < high; ++i) {
    const double along = length == 0 ? 0 : std::clamp((i + 0.5 - first.x) / length, 0.0, 1.0);
    const double middle = first.y + along * (last.y - first.y);
    // A line at 45 degrees is 1.42 times as wide across a row.
    const int end = static_cast<int>(std::ceil(middle + 1.5 * margin));
    for (int j = static_cast<int>(std::floor(middle - 1.5 * margin)); j < end; ++j) {
      const double coverage = margin - 0.5 - distance_to_segment({i + 0.5, j + 0.5}, first, last);
      if (coverage <= 0) continue;
      blend(is_steep ? j : i, is_steep ? i : j, colour, std::min(coverage, 1.0));
    }
  }
}

void convert(const RgbCanvas& canvas, Picture& picture) {
  picture.resize(canvas.width(), canvas.height());
  const PicturePlane luma = picture.plane(0);
  const PicturePlane cb = picture.plane(1);
  const PicturePlane cr = picture.plane(2);
  for (int y = 0; y < cb.height; ++y) {
    for (int x = 0; x < cb.width; ++x) {
      YCbCr sum;
      for (int i = 0; i < 4; ++i) {
        // For odd sizes the last column and row are repeated.
        const int px = std::min(2 * x + i % 2, canvas.width() - 1);
        const int py = std::min(2 * y + i / 2, canvas.height() - 1);
        const YCbCr pixel = to_ycbcr(canvas.at(px, py));
        luma.row(py)[px] = rounded(pixel.y);
        sum.cb += pixel.cb;
        sum.cr += pixel.cr;
      }
      cb.row(y)[x] = rounded(sum.cb / 4);
      cr.row(y)[x] = rounded(sum.cr / 4);
    }
  }
  picture.pad();
}

void write_png(const RgbCanvas& canvas, std::ostream& stream) {
  static_assert(sizeof(Rgb) == 3);
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(canvas.width());
  image.height = static_cast<png_uint_32>(canvas.height());
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;  // A picture a frame: twice as fast for a tenth more bytes.
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<char> file(bytes);
  const void* const pixels = canvas.pixels().data();
  if (png_image_write_to_memory(&image, file.data(), &bytes, 0, pixels, 0, nullptr) == 0) {
    throw Error(ErrorCode::kIo, std::string("libpng could not encode the picture: ") +
                                    static_cast<const char*>(image.message));
  }
  stream.write(file.data(), static_cast<std::streamsize>(bytes));
}

}  // namespace millrace::tools
