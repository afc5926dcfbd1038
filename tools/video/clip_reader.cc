// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/input/file_kind.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/video/clip_reader.h>
#include <millrace/tools/video/decoder/clip_decoder.h>
#include <millrace/tools/video/decoder/clip_input.h>
#include <millrace/tools/video/raw/raw_format.h>
#include <millrace/tools/video/raw/raw_size.h>
#include <millrace/tools/video/raw/uncompressed_source.h>
#include <millrace/tools/video/y4m/y4m_header.h>

#include <chrono>
#include <limits>
#include <string_view>
#include <utility>

namespace millrace::tools {
namespace {

[[noreturn]] void reject(const std::string& path, const std::string& sentence) {
  throw Error(ErrorCode::kInvalidArgument, path + ": " + sentence);
}

// Returns the kind of a clip by its first bytes, unless they may be samples: text, or all of one
// value.
FileKind kind_of_clip(const ClipInput& input) {
  const std::string_view start = input.start();
  if (start.find_first_not_of(start.front()) == start.npos) return {};
  // The endings of SGI pictures are names of raw video, too.
  if (start.starts_with("\x01\xDA\x01")) return {FileKind::Family::kPicture, "an SGI picture"};
  const auto bytes = input.size() > 0 ? static_cast<std::uint64_t>(input.size())
                                      : std::numeric_limits<std::uint64_t>::max();
  const FileKind kind = kind_of(start, start.back(), bytes);
  return kind.family == FileKind::Family::kText ? FileKind{} : kind;
}

// Returns true for kinds without pictures, whatever FFmpeg would make of their names.
bool is_no_clip(const FileKind& kind) {
  using Family = FileKind::Family;
  return kind.family == Family::kPacked || kind.family == Family::kNpy ||
         kind.family == Family::kDocument || kind.family == Family::kProgram ||
         kind.family == Family::kStars || kind.family == Family::kVectors;
}

RawSize raw_size_of(const std::string& path, const VideoReaderOptions& options) {
  if (options.width != 0 || options.height != 0) {
    if (options.width < 1 || options.height < 1 || options.width > Picture::kMaxSize ||
        options.height > Picture::kMaxSize) {
      reject(path, "--size is " + std::to_string(options.width) + "x" +
                       std::to_string(options.height) + "; each must be in 1.." +
                       std::to_string(Picture::kMaxSize));
    }
    return {options.width, options.height};
  }
  const auto size = raw_size_from_name(path);
  if (!size) reject(path, "raw video needs --size WIDTHxHEIGHT");
  return *size;
}

RawFormat raw_format_of_clip(const std::string& path, const VideoReaderOptions& options,
                             std::string_view start) {
  if (!options.pixel_format.empty()) {
    const auto format = raw_format_of(options.pixel_format);
    if (!format) {
      reject(path, "--pixel-format is '" + options.pixel_format +
                       "', which is no raw format that can be read; give FFmpeg's name of one, "
                       "such as yuv420p, yuv422p10le, nv12 or gray");
    }
    return *format;
  }
  if (const auto format = raw_format_from_name(path)) return *format;
  const std::string deeper = deeper_format(start);
  if (!deeper.empty()) {
    reject(path, "looks like " + deeper + " rather than 8-bit 4:2:0; give --pixel-format " +
                     deeper + " or --pixel-format yuv420p");
  }
  return {};
}

std::unique_ptr<FrameSource> open_raw(std::unique_ptr<ClipInput> input,
                                      const VideoReaderOptions& options) {
  const std::string& path = input->path();
  const RawSize size = raw_size_of(path, options);
  const RawFormat format = raw_format_of_clip(path, options, input->start());
  return UncompressedSource::raw(std::move(input), size, format);
}

std::unique_ptr<FrameSource> open_source(const std::string& path, const VideoReaderOptions& options,
                                         int threads) {
  const bool is_said_raw =
      options.width != 0 || options.height != 0 || !options.pixel_format.empty();
  if (options.is_pattern) {
    if (is_said_raw) reject(path, "--pattern is not for raw video; leave out --size");
    return ClipDecoder::of_pattern(path, threads);
  }
  auto input = std::make_unique<ClipInput>(path);
  const FileKind kind = kind_of_clip(*input);
  if (is_said_raw) {
    if (!kind.is_known()) return open_raw(std::move(input), options);
    reject(path, "is " + std::string(kind.name) +
                     " by its first bytes, not raw video; leave out --size and --pixel-format");
  }
  if (input->start().starts_with(kY4mMagic)) return UncompressedSource::y4m(std::move(input));
  if (has_raw_name(path)) {
    if (!kind.is_known()) return open_raw(std::move(input), options);
    if (is_no_clip(kind)) throw Error(ErrorCode::kInvalidArgument, rejection(path, kind, "video"));
  }
  return std::make_unique<ClipDecoder>(std::move(input), threads);
}

}  // namespace

ClipReader::ClipReader(const std::string& path, const VideoReaderOptions& options, int threads)
    : path_(path),
      options_(options),
      source_(open_source(path, options, threads)),
      frame_(next_frame({})),
      rate_(source_->frame_rate()),
      expected_frames_(source_->expected_frames()),
      codec_name_(source_->codec_name()),
      time_base_(source_->time_base()),
      aspect_(source_->aspect()),
      field_order_(source_->field_order()),
      display_matrix_(source_->display_matrix()) {
  if (frame_ == nullptr) {
    throw Error(ErrorCode::kIo, path + ": no frames; give a clip that has one or more");
  }
  format_ = PictureConverter::describe(*frame_);
  converter_.emplace(*frame_);
  orientation_ = display_matrix_.orientation();
  width_ = orientation_.transposes ? frame_->height : frame_->width;
  height_ = orientation_.transposes ? frame_->width : frame_->height;
}

bool ClipReader::next(ReadPicture& picture, const std::stop_token& stop) {
  picture.begin = std::chrono::steady_clock::now();
  const AVFrame* frame = std::exchange(frame_, nullptr);
  if (frame == nullptr) frame = next_frame(stop);
  picture.facts = facts();
  if (frame == nullptr) return false;
  check_unchanged(*frame);
  picture.time = source_->frame_time();
  if (orientation_.is_upright()) {
    converter_->convert(*frame, picture.picture);
  } else {
    converter_->convert(*frame, stored_);
    orient(stored_, orientation_, picture.picture);
  }
  picture.end = std::chrono::steady_clock::now();
  return true;
}

ClipFacts ClipReader::facts() const {
  return {source_->losses(), source_->empty_samples(), source_->irregular(), source_->truncated()};
}

const AVFrame* ClipReader::next_frame(const std::stop_token& stop) {
  const AVFrame* frame = source_ == nullptr ? nullptr : source_->next();
  if (source_ == nullptr || source_->is_in_doubt()) frame = next_frame_again(stop);
  if (frame != nullptr) ++frames_;
  return frame;
}

const AVFrame* ClipReader::next_frame_again(const std::stop_token& stop) {
  source_.reset();
  source_ = open_source(path_, options_, 1);
  for (std::int64_t i = 0; i < frames_; ++i) {
    throw_if_interrupted();
    if (stop.stop_requested() || source_->next() == nullptr) return nullptr;
  }
  return source_->next();
}

void ClipReader::check_unchanged(const AVFrame& now) const {
  if (converter_->fits(now)) return;
  throw Error(ErrorCode::kIo, path_ + ": changes from " + format_ + " to " +
                                  PictureConverter::describe(now) + " at frame " +
                                  std::to_string(source_->frame_number()) + "; cut it there");
}

}  // namespace millrace::tools
