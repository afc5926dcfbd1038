// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/input/file_kind.h>
#include <millrace/tools/video/decoder/clip_decoder.h>
#include <millrace/tools/video/decoder/clip_input.h>
#include <millrace/tools/video/decoder/frame_source.h>
#include <millrace/tools/video/decoder/picture_converter.h>
#include <millrace/tools/video/picture/orientation.h>
#include <millrace/tools/video/raw/raw_format.h>
#include <millrace/tools/video/raw/raw_size.h>
#include <millrace/tools/video/raw/uncompressed_source.h>
#include <millrace/tools/video/video_reader.h>
#include <millrace/tools/video/y4m/y4m_header.h>

#include <cstdint>
#include <limits>
#include <optional>
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

std::unique_ptr<FrameSource> open_source(const std::string& path,
                                         const VideoReaderOptions& options) {
  const bool is_said_raw =
      options.width != 0 || options.height != 0 || !options.pixel_format.empty();
  if (options.is_pattern) {
    if (is_said_raw) reject(path, "--pattern is not for raw video; leave out --size");
    return ClipDecoder::of_pattern(path);
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
  return std::make_unique<ClipDecoder>(std::move(input));
}

}  // namespace

struct VideoReader::State {
  State(const std::string& path, const VideoReaderOptions& options)
      : path(path), source(open_source(path, options)), frame(source->next()) {
    if (frame == nullptr) throw Error(ErrorCode::kIo, path + ": no frames");
    format = PictureConverter::describe(*frame);
    sample_format = format.substr(0, format.find(' '));
    converter.emplace(*frame);
    orientation = source->display_matrix().orientation();
    width = orientation.transposes ? frame->height : frame->width;
    height = orientation.transposes ? frame->width : frame->height;
  }

  void check_unchanged(const AVFrame& now) const {
    if (converter->fits(now)) return;
    throw Error(ErrorCode::kIo, path + ": changes from " + format + " to " +
                                    PictureConverter::describe(now) + " at frame " +
                                    std::to_string(source->frame_number()));
  }

  std::string path;
  std::unique_ptr<FrameSource> source;
  const AVFrame* frame;  // Comes from the source and is next; may be null.
  int width = 0;
  int height = 0;
  std::string format;
  std::string sample_format;
  std::optional<PictureConverter> converter;
  Orientation orientation;
  Picture stored;  // The picture before it is rotated.
};

VideoReader::VideoReader(const std::string& path, const VideoReaderOptions& options)
    : state_(std::make_unique<State>(path, options)) {}

VideoReader::~VideoReader() = default;
VideoReader::VideoReader(VideoReader&&) noexcept = default;
VideoReader& VideoReader::operator=(VideoReader&&) noexcept = default;

bool VideoReader::next(Picture& picture) {
  State& state = *state_;
  const AVFrame* frame = std::exchange(state.frame, nullptr);
  if (frame == nullptr) frame = state.source->next();
  if (frame == nullptr) return false;
  state.check_unchanged(*frame);
  if (state.orientation.is_upright()) {
    state.converter->convert(*frame, picture);
  } else {
    state.converter->convert(*frame, state.stored);
    orient(state.stored, state.orientation, picture);
  }
  return true;
}

int VideoReader::width() const { return state_->width; }

int VideoReader::height() const { return state_->height; }

FrameRate VideoReader::frame_rate() const { return state_->source->frame_rate(); }

std::int64_t VideoReader::expected_frames() const { return state_->source->expected_frames(); }

bool VideoReader::full_range() const { return state_->converter->full_range(); }

// y4m has no chroma at the right or at the top.
bool VideoReader::chroma_left() const {
  const Orientation& orientation = state_->orientation;
  return state_->converter->chroma_left() && !orientation.transposes && !orientation.flips_x;
}

SampleAspect VideoReader::aspect() const {
  const SampleAspect aspect = state_->source->aspect();
  if (!state_->orientation.transposes) return aspect;
  return {aspect.denominator, aspect.numerator};
}

FieldOrder VideoReader::field_order() const {
  const FieldOrder order = state_->source->field_order();
  if (!is_interlaced(order)) return order;
  if (state_->orientation.transposes) return FieldOrder::kUnknown;
  // If the number of rows is even, flipped rows belong to the other field.
  if (!state_->orientation.flips_y || state_->height % 2 != 0) return order;
  if (order == FieldOrder::kMixed) return order;
  return order == FieldOrder::kTopFirst ? FieldOrder::kBottomFirst : FieldOrder::kTopFirst;
}

ClipLosses VideoReader::losses() const { return state_->source->losses(); }

std::string VideoReader::source_format() const {
  return state_->source->codec_name() + ", " + state_->sample_format;
}

std::string VideoReader::converted() const { return state_->converter->converted(); }

std::string VideoReader::padded() const {
  const auto whole = [](int size) {
    return (size + Picture::kMacroblock - 1) / Picture::kMacroblock * Picture::kMacroblock;
  };
  const int width = whole(state_->width);
  const int height = whole(state_->height);
  if (width == state_->width && height == state_->height) return "";
  return std::to_string(state_->width) + "x" + std::to_string(state_->height) + " padded to " +
         std::to_string(width) + "x" + std::to_string(height) + ", whole macroblocks";
}

std::string VideoReader::turned() const {
  const DisplayMatrix matrix = state_->source->display_matrix();
  const std::string text = state_->orientation.text();
  if (!text.empty()) {
    const bool has_fields = is_interlaced(state_->source->field_order());
    const bool loses_fields = has_fields && state_->orientation.transposes;
    return "pictures are " + text + ", as the container says" +
           (loses_fields ? "; lines of interlaced frames become columns" : "");
  }
  const bool is_turned = matrix.degrees() != 0 && !matrix.is_orthogonal();
  if (!is_turned) return "";
  return "the container says to rotate pictures by " + std::to_string(matrix.degrees()) +
         " degrees, which are left as they are stored";
}

std::vector<std::string> VideoReader::irregularities() const {
  std::vector<std::string> sentences;
  const ClipLosses losses = this->losses();
  const std::int64_t empty = state_->source->empty_samples();
  if (losses.lost > 0 || losses.concealed > 0) {
    sentences.push_back("the stream has lost pictures: " + std::to_string(losses.lost) +
                        " lost or not decodable, " + std::to_string(losses.concealed) +
                        " decoded with concealed errors");
  }
  if (empty > 0) {
    sentences.push_back(std::to_string(empty) + (empty == 1 ? " empty sample" : " empty samples") +
                        " skipped, for which players repeat the picture before");
  }
  // Each of these makes gaps in time as well.
  if (sentences.empty() && !state_->source->irregular().empty()) {
    sentences.push_back(state_->source->irregular());
  }
  return sentences;
}

std::string VideoReader::truncated() const { return state_->source->truncated(); }

}  // namespace millrace::tools
