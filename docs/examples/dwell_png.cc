// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/dwell_png.h>
#include <millrace/runtime/core/error.h>

#include <png.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

namespace millrace::examples {
namespace {

using Colour = std::array<double, 3>;

constexpr Colour kNeverEscaped = {6, 6, 14};
constexpr Colour kCycle[] = {
    {14, 22, 58}, {28, 96, 150}, {150, 205, 205}, {250, 240, 205}, {224, 142, 52}, {104, 34, 52},
};
constexpr double kColoursPerOctave = 1.4;  // Colours of kCycle per octave of dwell.

// The cycle at `position`, blended from colour to colour with no edge.
Colour colour_at(double position) {
  constexpr std::size_t kColours = std::size(kCycle);
  const double whole = std::floor(position);
  const std::size_t index = static_cast<std::size_t>(whole) % kColours;
  const double fraction = (1 - std::cos(std::numbers::pi * (position - whole))) / 2;
  const Colour& from = kCycle[index];
  const Colour& to = kCycle[(index + 1) % kColours];
  Colour blend;
  for (std::size_t i = 0; i < 3; ++i) blend[i] = from[i] + fraction * (to[i] - from[i]);
  return blend;
}

Colour colour_of(std::uint32_t dwell, std::uint32_t max_dwell) {
  if (dwell == max_dwell) return kNeverEscaped;
  return colour_at(kColoursPerOctave * std::log2(1.0 + dwell));
}

}  // namespace

void write_dwell_png(std::span<const std::uint32_t> dwells, int width, int height,
                     std::uint32_t max_dwell, std::ostream& stream) {
  std::vector<std::uint8_t> pixels;
  pixels.reserve(dwells.size() * 3);
  for (const std::uint32_t dwell : dwells) {
    for (const double component : colour_of(dwell, max_dwell)) {
      pixels.push_back(static_cast<std::uint8_t>(std::lround(component)));
    }
  }

  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<char> file(bytes);
  if (png_image_write_to_memory(&image, file.data(), &bytes, 0, pixels.data(), 0, nullptr) == 0) {
    throw Error(ErrorCode::kIo, std::string("libpng could not encode the picture: ") +
                                    static_cast<const char*>(image.message));
  }
  stream.write(file.data(), static_cast<std::streamsize>(bytes));
}

}  // namespace millrace::examples
