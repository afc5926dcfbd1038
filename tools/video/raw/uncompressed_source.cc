// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/container/container_length.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/raw/uncompressed_source.h>
#include <millrace/tools/video/y4m/y4m_header.h>

#include <algorithm>
#include <string_view>
#include <utility>

extern "C" {
#include <libavutil/imgutils.h>
}

namespace millrace::tools {
namespace {

constexpr std::size_t kMostLine = std::size_t{1} << 16;

// Bytes that swscale may read behind the last sample.
constexpr std::size_t kPadding = 64;

AVChromaLocation chroma_location(Y4mHeader::ChromaSite site) {
  switch (site) {
    case Y4mHeader::ChromaSite::kCentre: return AVCHROMA_LOC_CENTER;
    case Y4mHeader::ChromaSite::kLeft: return AVCHROMA_LOC_LEFT;
    case Y4mHeader::ChromaSite::kTopLeft: return AVCHROMA_LOC_TOPLEFT;
    default: return AVCHROMA_LOC_UNSPECIFIED;
  }
}

AVColorRange colour_range(Y4mHeader::Range range) {
  switch (range) {
    case Y4mHeader::Range::kFull: return AVCOL_RANGE_JPEG;
    case Y4mHeader::Range::kLimited: return AVCOL_RANGE_MPEG;
    default: return AVCOL_RANGE_UNSPECIFIED;
  }
}

std::string size_text(const RawSize& size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

// Returns a text such as "; it has 3 frames of yuv422p, which --pixel-format yuv422p reads", or "".
std::string other_format_text(std::int64_t bytes, const RawSize& size, const std::string& name) {
  for (const char* const other :
       {"yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "gray"}) {
    const std::int64_t frame_bytes = RawFormat{other}.frame_bytes(size);
    if (other == name || bytes % frame_bytes != 0) continue;
    return "; as " + std::string(other) + " they are " + std::to_string(bytes / frame_bytes) +
           " (--pixel-format " + other + ")";
  }
  return "";
}

}  // namespace

UncompressedSource::UncompressedSource(std::unique_ptr<ClipInput> input)
    : input_(std::move(input)), frame_(av_frame_alloc()) {
  if (!frame_) throw Error(ErrorCode::kOutOfMemory, "no memory to read " + input_->path());
}

void UncompressedSource::set_format(const RawSize& size, const RawFormat& format) {
  if (size.width > Picture::kMaxSize || size.height > Picture::kMaxSize) {
    fail("pictures are " + size_text(size) + "; each must be in 1.." +
         std::to_string(Picture::kMaxSize));
  }
  frame_bytes_ = static_cast<std::size_t>(format.frame_bytes(size));
  samples_.resize(frame_bytes_ + kPadding);
  frame_->width = size.width;
  frame_->height = size.height;
  frame_->format = av_get_pix_fmt(format.name.c_str());
  av_image_fill_arrays(frame_->data, frame_->linesize, samples_.data(),
                       static_cast<AVPixelFormat>(frame_->format), size.width, size.height, 1);
  if (format.swaps_chroma) std::swap(frame_->data[1], frame_->data[2]);
}

std::unique_ptr<UncompressedSource> UncompressedSource::y4m(std::unique_ptr<ClipInput> input) {
  std::unique_ptr<UncompressedSource> source(new UncompressedSource(std::move(input)));
  source->has_frame_headers_ = true;
  Y4mHeader header;
  try {
    header = parse_y4m_header(source->read_line());
  } catch (const Error& error) {
    source->fail(error.what());
  }
  source->set_format({header.width, header.height}, {header.pixel_format});
  source->rate_ = header.rate;
  source->aspect_ = header.aspect;
  source->field_order_ = header.field_order;
  source->frame_->chroma_location = chroma_location(header.chroma_site);
  source->frame_->color_range = colour_range(header.range);
  if (!source->input_->is_pipe()) {
    const Y4mLength length =
        y4m_length(source->input_->file_path(), static_cast<std::int64_t>(source->frame_bytes_));
    source->expected_frames_ = length.frames;
    if (length.missing_bytes > 0) {
      source->truncated_ = "truncated: " + bytes_missing(length.missing_bytes);
    }
  }
  return source;
}

std::unique_ptr<UncompressedSource> UncompressedSource::raw(std::unique_ptr<ClipInput> input,
                                                            const RawSize& size,
                                                            const RawFormat& format) {
  std::unique_ptr<UncompressedSource> source(new UncompressedSource(std::move(input)));
  source->set_format(size, format);
  const std::int64_t bytes = source->input_->size();
  const auto frame_bytes = static_cast<std::int64_t>(source->frame_bytes_);
  source->expected_frames_ = bytes / frame_bytes;
  if (bytes % frame_bytes != 0) {
    source->truncated_ = "truncated or of another size: " + std::to_string(bytes) +
                         " bytes are no whole number of " + size_text(size) + " frames of " +
                         format.name + other_format_text(bytes, size, format.name);
    if (source->expected_frames_ == 0) source->fail(source->truncated_);
  }
  return source;
}

const AVFrame* UncompressedSource::next() {
  if (has_frame_headers_ && !read_frame_header()) return nullptr;
  const std::size_t count = input_->read(samples_.data(), frame_bytes_);
  if (count == 0 && !has_frame_headers_) return nullptr;
  if (count < frame_bytes_) fail_truncated(frame_bytes_ - count);
  ++frames_;
  return frame_.get();
}

std::string UncompressedSource::read_line() {
  std::string line;
  char letter = 0;
  while (input_->read(&letter, 1) == 1) {
    if (letter == '\n') return line;
    line += letter;
    if (line.size() > kMostLine) break;
  }
  if (line.size() > kMostLine) {
    fail("y4m with a header of more than " + std::to_string(kMostLine) + " bytes at frame " +
         std::to_string(frames_) + "; write the clip again");
  }
  return line;
}

// Returns false at the end of the clip.
bool UncompressedSource::read_frame_header() {
  constexpr std::string_view kFrame = "FRAME";
  const std::string line = read_line();
  if (line.starts_with(kFrame)) return true;
  if (line.empty()) {
    char letter = 0;
    if (input_->read(&letter, 1) == 0) return false;
  }
  if (kFrame.starts_with(line) && !line.empty()) fail_truncated(frame_bytes_);
  fail("damaged at frame " + std::to_string(frames_) +
       ": no FRAME line stands before it; write the clip again");
}

void UncompressedSource::fail(const std::string& sentence) const {
  throw Error(ErrorCode::kIo, input_->path() + ": " + sentence);
}

void UncompressedSource::fail_truncated(std::size_t missing) const {
  fail("truncated at frame " + std::to_string(frames_) + ": " +
       bytes_missing(static_cast<std::int64_t>(missing)));
}

}  // namespace millrace::tools
