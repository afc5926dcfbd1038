// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/mandelbrot.h>
#include <millrace/docs/examples/mandelbrot_tasks.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>

#include <cmath>
#include <cstdio>
#include <map>

namespace millrace::examples {
namespace {

constexpr int kMaxSide = 16384;
constexpr std::uint32_t kMostDwell = 1'000'000;
// 64 units of fixed point: rounding stays far below a pixel.
constexpr double kMinPixel = 64.0 / (1 << kFractionBits);

const std::map<std::string, MandelbrotView, std::less<>>& presets() {
  static const std::map<std::string, MandelbrotView, std::less<>> views = {
      {"whole", {}},
      {"seahorses", {-0.7475, 0.1075, 0.028}},
      {"elephants", {0.2925, 0.0155, 0.035}},
      {"spiral", {-0.74303, 0.12645, 0.0035}},
      {"antenna", {-1.7665, 0.0, 0.09}},
      {"satellite", {-0.1592, 1.0317, 0.04}},
  };
  return views;
}

[[noreturn]] void reject(const std::string& message) {
  throw Error(ErrorCode::kInvalidArgument, message);
}

void check_range(const char* name, std::int64_t value, std::int64_t last) {
  if (value >= 1 && value <= last) return;
  reject(std::string(name) + " is " + std::to_string(value) + "; it is 1 to " +
         std::to_string(last));
}

void check(const MandelbrotOptions& options) {
  check_range("width", options.width, kMaxSide);
  check_range("height", options.height, kMaxSide);
  check_range("max_dwell", options.max_dwell, kMostDwell);
  const MandelbrotView& view = options.view;
  const double pixel = view.width / options.width;
  if (!(pixel >= kMinPixel)) {
    reject("view is " + std::to_string(view.width) + " wide; " + std::to_string(options.width) +
           " pixels need at least " + std::to_string(kMinPixel * options.width));
  }
  const double across = std::fabs(view.re) + view.width / 2;
  const double along = std::fabs(view.im) + pixel * options.height / 2;
  if (!(across <= 4 && along <= 4)) {
    reject("view reaches " + std::to_string(std::max(across, along)) +
           " from an axis, and may reach 4; make it narrower, or move it towards 0");
  }
}

Fixed to_fixed(double value) {
  return static_cast<Fixed>(std::llround(value * (1 << kFractionBits)));
}

Canvas make_canvas(const MandelbrotOptions& options) {
  const double height = options.view.width / options.width * options.height;
  return {.dwells = nullptr,
          .computed = nullptr,
          .width = options.width,
          .height = options.height,
          .max_dwell = options.max_dwell,
          .left = to_fixed(options.view.re - options.view.width / 2),
          .top = to_fixed(options.view.im + height / 2),
          .re_extent = to_fixed(options.view.width),
          .im_extent = to_fixed(height)};
}

std::size_t count_pixels(const MandelbrotOptions& options) {
  return static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height);
}

}  // namespace

std::vector<std::string> preset_views() {
  std::vector<std::string> names;
  for (const auto& [name, view] : presets()) names.push_back(name);
  return names;
}

MandelbrotView parse_view(std::string_view text) {
  if (const auto found = presets().find(text); found != presets().end()) return found->second;
  MandelbrotView view;
  const std::string copy(text);
  int end = 0;
  const int fields =
      std::sscanf(copy.c_str(), "%lf,%lf,%lf%n", &view.re, &view.im, &view.width, &end);
  if (fields == 3 && static_cast<std::size_t>(end) == copy.size()) return view;
  std::string names;
  for (const std::string& name : preset_views()) names += name + ", ";
  reject("no view '" + copy + "'; there are: " + names + "or RE,IM,WIDTH");
}

MandelbrotResult draw_mandelbrot(Queue& queue, const MandelbrotOptions& options) {
  check(options);
  const auto device = queue.device().shared_from_this();
  Buffer<std::uint32_t> dwells(device, MemorySpace::kDevice, count_pixels(options));
  Buffer<std::uint64_t> computed(device, MemorySpace::kDevice, 1);
  fill_bytes(queue, computed.span(), std::byte{0});

  Canvas canvas = make_canvas(options);
  canvas.dwells = dwells.data();
  canvas.computed = computed.data();
  const Rectangle everything = {0, 0, options.width, options.height};
  TaskList<MandelbrotTasks> roots;
  if (options.width < DrawBorder::kSmallest || options.height < DrawBorder::kSmallest) {
    roots.push(DrawPixels{canvas, everything});
  } else {
    roots.push(DrawBorder{canvas, everything});
  }

  MandelbrotResult result;
  result.report = run_tasks(queue, roots, options.run);
  result.dwells.resize(dwells.size());
  copy(queue, BufferSpan<std::uint32_t>(std::span(result.dwells)), dwells.span());
  copy(queue, BufferSpan<std::uint64_t>(std::span(&result.computed, 1)), computed.span());
  queue.wait();
  return result;
}

std::vector<std::uint32_t> draw_mandelbrot_directly(const MandelbrotOptions& options) {
  check(options);
  const Canvas canvas = make_canvas(options);
  std::vector<std::uint32_t> dwells;
  dwells.reserve(count_pixels(options));
  for (int y = 0; y < options.height; ++y) {
    for (int x = 0; x < options.width; ++x) {
      dwells.push_back(dwell_of(canvas.re(x), canvas.im(y), options.max_dwell));
    }
  }
  return dwells;
}

std::size_t count_different(const std::vector<std::uint32_t>& first,
                            const std::vector<std::uint32_t>& second) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < first.size(); ++i) different += first[i] != second[i] ? 1 : 0;
  return different;
}

}  // namespace millrace::examples
