#include <millrace/tools/video/video_reader.h>

#include <optional>
#include <utility>

#include <millrace/runtime/error.h>
#include <millrace/tools/video/clip_decoder.h>
#include <millrace/tools/video/picture_converter.h>
#include <millrace/tools/video/raw_size.h>

namespace millrace::tools {
namespace {

std::optional<RawSize> raw_size_of(const std::string& path, const VideoReaderOptions& options) {
  if (options.width != 0 || options.height != 0) {
    if (options.width < 1 || options.height < 1 || options.width > Picture::kMaxSize ||
        options.height > Picture::kMaxSize) {
      throw Error(ErrorCode::kInvalidArgument,
                  path + ": --size is " + std::to_string(options.width) + "x" +
                      std::to_string(options.height) + "; each must be in 1.." +
                      std::to_string(Picture::kMaxSize));
    }
    return RawSize{options.width, options.height};
  }
  if (!has_raw_name(path)) return std::nullopt;
  const auto size = raw_size_from_name(path);
  if (!size)
    throw Error(ErrorCode::kInvalidArgument, path + ": raw video needs --size WIDTHxHEIGHT");
  return size;
}

}  // namespace

struct VideoReader::State {
  State(const std::string& path, const VideoReaderOptions& options)
      : path(path), decoder(path, raw_size_of(path, options)), frame(decoder.next()) {
    if (frame == nullptr) throw Error(ErrorCode::kIo, path + ": no frames");
    width = frame->width;
    height = frame->height;
    format = PictureConverter::describe(*frame);
    sample_format = format.substr(0, format.find(' '));
    converter.emplace(*frame);
  }

  void check_unchanged(const AVFrame& now) const {
    if (converter->fits(now)) return;
    throw Error(ErrorCode::kIo, path + ": changes from " + format + " to " +
                                    PictureConverter::describe(now) + " at frame " +
                                    std::to_string(decoder.frame_number()));
  }

  std::string path;
  ClipDecoder decoder;
  const AVFrame* frame;  // Of the decoder, not yet given out; null when there is none.
  int width = 0;
  int height = 0;
  std::string format;
  std::string sample_format;
  std::optional<PictureConverter> converter;
};

VideoReader::VideoReader(const std::string& path, const VideoReaderOptions& options)
    : state_(std::make_unique<State>(path, options)) {}

VideoReader::~VideoReader() = default;
VideoReader::VideoReader(VideoReader&&) noexcept = default;
VideoReader& VideoReader::operator=(VideoReader&&) noexcept = default;

bool VideoReader::next(Picture& picture) {
  State& state = *state_;
  const AVFrame* frame = std::exchange(state.frame, nullptr);
  if (frame == nullptr) frame = state.decoder.next();
  if (frame == nullptr) return false;
  state.check_unchanged(*frame);
  state.converter->convert(*frame, picture);
  return true;
}

int VideoReader::width() const { return state_->width; }

int VideoReader::height() const { return state_->height; }

FrameRate VideoReader::frame_rate() const { return state_->decoder.frame_rate(); }

std::int64_t VideoReader::expected_frames() const { return state_->decoder.expected_frames(); }

bool VideoReader::full_range() const { return state_->converter->full_range(); }

bool VideoReader::chroma_left() const { return state_->converter->chroma_left(); }

std::string VideoReader::source_format() const {
  return state_->decoder.codec_name() + ", " + state_->sample_format;
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

std::string VideoReader::truncated() const { return state_->decoder.truncated(); }

}  // namespace millrace::tools
