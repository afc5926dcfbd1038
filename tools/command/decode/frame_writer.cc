// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/decode/frame_writer.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include <millrace/runtime/core/error.h>

namespace millrace::tools {
namespace {

// A frame lasts two ticks (clause E.2.1). Streams that state no rate, or none that fits, have 25.
FrameRate rate_of(const h264::SequenceParameters& sequence) {
  const std::uint64_t ticks = sequence.time_scale;
  const std::uint64_t frame = std::uint64_t{2} * sequence.units_in_tick;
  if (ticks == 0 || frame == 0) return {};
  const std::uint64_t common = std::gcd(ticks, frame);
  constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
  if (ticks / common > kMost || frame / common > kMost) return {};
  return {static_cast<int>(ticks / common), static_cast<int>(frame / common)};
}

}  // namespace

void FrameWriter::write(const h264::DecodedFrame& frame) {
  if (!writer_) open(frame);
  const int width = frame.width(0);
  const int height = frame.height(0);
  if (width != picture_.width() || height != picture_.height()) {
    throw Error(ErrorCode::kUnsupported,
                "frame " + std::to_string(frames()) + " is " + std::to_string(width) + "x" +
                    std::to_string(height) + ", the frames before it " +
                    std::to_string(picture_.width()) + "x" + std::to_string(picture_.height()) +
                    "; a y4m file has one size: stop before it by --frames " +
                    std::to_string(frames()));
  }
  for (int i = 0; i < Picture::kPlanes; ++i) {
    const PicturePlane plane = picture_.plane(i);
    const std::uint8_t* const first = frame.first_sample(i);
    for (int y = 0; y < plane.height; ++y) {
      std::copy_n(first + y * static_cast<std::ptrdiff_t>(frame.samples->width(i)), plane.width,
                  plane.row(y));
    }
  }
  writer_->write(picture_);
}

void FrameWriter::open(const h264::DecodedFrame& frame) {
  picture_.resize(frame.width(0), frame.height(0));
  const h264::SequenceParameters& sequence = *frame.sequence;
  writer_.emplace(
      out_, Y4mFormat{.width = picture_.width(),
                      .height = picture_.height(),
                      .rate = rate_of(sequence),
                      .chroma_left = true,  // Clause E.2.1, where nothing is coded.
                      .aspect = {sequence.sample_aspect_width, sequence.sample_aspect_height}});
}

}  // namespace millrace::tools
