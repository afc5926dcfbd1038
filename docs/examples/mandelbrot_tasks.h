// SPDX-License-Identifier: Apache-2.0

// The Mandelbrot set by Mariani and Silver's algorithm, as tasks: a rectangle whose border has one
// dwell is filled with it, any other is cut in four, and small ones are drawn pixel by pixel.
//
// Dwells are computed in fixed point, so every device draws the same picture to the last pixel.
#ifndef MILLRACE_DOCS_EXAMPLES_MANDELBROT_TASKS_H_
#define MILLRACE_DOCS_EXAMPLES_MANDELBROT_TASKS_H_

#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::examples {

// Coordinates of the plane, in units of 2^-kFractionBits; at most 4 from each axis, so that squares
// fit 64 bits: before the escape |z| <= 2, one step later |z| < 4 + 4 sqrt(2), |z|^2 < 2^7.
using Fixed = std::int64_t;
inline constexpr int kFractionBits = 28;

// Number of steps of z <- z^2 + c that stay within |z| <= 2, at most max_dwell.
MILLRACE_FUNCTION inline std::uint32_t dwell_of(Fixed re, Fixed im, std::uint32_t max_dwell) {
  constexpr Fixed kFour = Fixed{4} << (2 * kFractionBits);
  Fixed x = 0;
  Fixed y = 0;
  std::uint32_t dwell = 0;
  for (; dwell < max_dwell; ++dwell) {
    const Fixed xx = x * x;
    const Fixed yy = y * y;
    if (xx + yy > kFour) break;
    y = ((x * y) >> (kFractionBits - 1)) + im;
    x = ((xx - yy) >> kFractionBits) + re;
  }
  return dwell;
}

struct Rectangle {
  int x;
  int y;
  int width;
  int height;
};

// A picture of a rectangle of the plane.
struct Canvas {
  std::uint32_t* dwells;    // width * height, row by row from the top.
  std::uint64_t* computed;  // Counts the pixels whose dwell was computed, not filled in.
  int width;
  int height;
  std::uint32_t max_dwell;
  Fixed left;
  Fixed top;
  Fixed re_extent;  // Extent of the whole picture.
  Fixed im_extent;

  MILLRACE_FUNCTION Fixed re(int x) const { return left + re_extent * x / width; }
  MILLRACE_FUNCTION Fixed im(int y) const { return top - im_extent * y / height; }

  MILLRACE_FUNCTION std::uint32_t& at(int x, int y) const {
    return dwells[static_cast<std::size_t>(y) * width + x];
  }

  MILLRACE_FUNCTION std::uint32_t draw(int x, int y) const {
    return at(x, y) = dwell_of(re(x), im(y), max_dwell);
  }

  MILLRACE_FUNCTION bool contains_origin(const Rectangle& area) const {
    return re(area.x) <= 0 && re(area.x + area.width) >= 0 && im(area.y) >= 0 &&
           im(area.y + area.height) <= 0;
  }
};

// Gives every pixel the same dwell.
struct FillArea {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr bool kSpawns = false;
  Canvas canvas;
  Rectangle area;
  std::uint32_t dwell;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    for (int y = area.y; y < area.y + area.height; ++y) {
      for (int x = area.x + context.lane(); x < area.x + area.width; x += context.lanes()) {
        canvas.at(x, y) = dwell;
      }
    }
  }
};

// Computes every pixel.
struct DrawPixels {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr bool kSpawns = false;
  Canvas canvas;
  Rectangle area;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const int pixels = area.width * area.height;
    for (int i = context.lane(); i < pixels; i += context.lanes()) {
      canvas.draw(area.x + i % area.width, area.y + i / area.width);
    }
    if (context.lane() == 0) context.add(canvas.computed, static_cast<std::uint64_t>(pixels));
  }
};

// Computes the border, and leaves the inside to others. At least kSmallest pixels each way.
struct DrawBorder {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr int kMostLanes = 64;  // Largest number of lanes of a warp.
  static constexpr std::size_t kScratchBytes = (1 + kMostLanes) * sizeof(std::uint32_t);
  static constexpr int kSmallest = 16;
  Canvas canvas;
  Rectangle area;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    std::uint32_t* corner = context.template scratch<std::uint32_t>(1);
    std::uint32_t* differs = context.template scratch<std::uint32_t>(context.lanes());
    if (context.lane() == 0) *corner = canvas.draw(area.x, area.y);
    context.sync();
    std::uint32_t own_differs = 0;
    const int pixels = 2 * (area.width + area.height) - 4;
    for (int i = 1 + context.lane(); i < pixels; i += context.lanes()) {
      if (draw_border_pixel(i) != *corner) own_differs = 1;
    }
    differs[context.lane()] = own_differs;
    context.sync();
    if (context.lane() != 0) return;
    std::uint32_t any_differs = 0;
    for (int lane = 0; lane < context.lanes(); ++lane) any_differs |= differs[lane];
    context.add(canvas.computed, static_cast<std::uint64_t>(pixels));
    const Rectangle inside = {area.x + 1, area.y + 1, area.width - 2, area.height - 2};
    if (any_differs == 0 && is_uniform_inside(*corner)) {
      context.spawn(FillArea{canvas, inside, *corner});
    } else {
      spawn_quarters(context, inside);
    }
  }

  template <class Context>
  MILLRACE_FUNCTION static void spawn_drawing(Context& context, const Canvas& canvas,
                                              const Rectangle& area) {
    if (area.width < kSmallest || area.height < kSmallest) {
      context.spawn(DrawPixels{canvas, area});
    } else {
      context.spawn(DrawBorder{canvas, area});
    }
  }

 private:
  // The top row, the bottom row, then the sides in turn.
  MILLRACE_FUNCTION std::uint32_t draw_border_pixel(int i) const {
    if (i < area.width) return canvas.draw(area.x + i, area.y);
    i -= area.width;
    if (i < area.width) return canvas.draw(area.x + i, area.y + area.height - 1);
    i -= area.width;
    return canvas.draw(i % 2 == 0 ? area.x : area.x + area.width - 1, area.y + 1 + i / 2);
  }

  // The points with a dwell of d or more are, for any d, a connected set without holes that has 0
  // in it. So a curve of dwell d encloses no smaller dwell, and larger ones only together with 0.
  // (The border's pixels stand for the curve: what is thinner than a pixel can slip through.)
  MILLRACE_FUNCTION bool is_uniform_inside(std::uint32_t dwell) const {
    return dwell == canvas.max_dwell || !canvas.contains_origin(area);
  }

  template <class Context>
  MILLRACE_FUNCTION void spawn_quarters(Context& context, const Rectangle& inside) const {
    const int left = inside.width / 2;
    const int upper = inside.height / 2;
    for (int quarter = 0; quarter < 4; ++quarter) {
      const bool right = quarter % 2 == 1;
      const bool lower = quarter / 2 == 1;
      spawn_drawing(
          context, canvas,
          Rectangle{inside.x + (right ? left : 0), inside.y + (lower ? upper : 0),
                    right ? inside.width - left : left, lower ? inside.height - upper : upper});
    }
  }
};

using MandelbrotTasks = TaskSet<DrawBorder, DrawPixels, FillArea>;

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_MANDELBROT_TASKS_H_
