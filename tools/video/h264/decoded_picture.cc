// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/h264/decoded_picture.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>

namespace millrace::tools {
namespace {

FrameRate frame_rate_of(const h264::SequenceParameters& sequence) {
  const std::uint64_t numerator = sequence.time_scale;
  const std::uint64_t denominator = 2 * std::uint64_t{sequence.units_in_tick};
  if (numerator == 0 || denominator == 0) return {};
  const std::uint64_t common = std::gcd(numerator, denominator);
  if (std::max(numerator, denominator) / common > std::numeric_limits<int>::max()) return {};
  return {static_cast<int>(numerator / common), static_cast<int>(denominator / common)};
}

}  // namespace

Y4mFormat y4m_format_of(const h264::SequenceParameters& sequence) {
  constexpr int kBetween = 1;
  return {.width = sequence.width(),
          .height = sequence.height(),
          .rate = frame_rate_of(sequence),
          .full_range = sequence.is_full_range,
          .chroma_left = sequence.chroma_location != kBetween,
          .aspect = {sequence.sample_aspect_width, sequence.sample_aspect_height},
          .field_order = FieldOrder::kProgressive};
}

void copy_frame(const h264::DecodedFrame& frame, Picture& picture) {
  picture.resize(frame.width(0), frame.height(0));
  for (int index = 0; index < Picture::kPlanes; ++index) {
    const PicturePlane plane = picture.plane(index);
    const std::ptrdiff_t stride = frame.samples->width(index);
    for (int y = 0; y < plane.height; ++y) {
      std::copy_n(frame.first_sample(index) + y * stride, plane.width, plane.row(y));
    }
  }
  picture.pad();
}

}  // namespace millrace::tools
