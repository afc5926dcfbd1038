// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/host_cores.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/video/clip_reader.h>
#include <millrace/tools/video/decoder/clip_input.h>
#include <millrace/tools/video/picture/orientation.h>
#include <millrace/tools/video/picture_read_ahead.h>
#include <millrace/tools/video/video_reader.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <system_error>
#include <utility>

namespace millrace::tools {
namespace {

// Returns the threads that may decode a clip. A pipe cannot be read again, and what it has behind
// the last picture that is wanted is not to be waited for.
int decoding_threads(const std::string& path, const VideoReaderOptions& options) {
  if (!options.is_pattern && is_clip_pipe(path)) return 1;
  return options.threads > 0 ? options.threads : host_cores().usable;
}

// Bounds of what is read ahead, the picture that is being read included. One picture may be larger.
constexpr std::size_t kMostPicturesAhead = 16;
constexpr std::size_t kMostBytesAhead = std::size_t{16} << 20;

}  // namespace

struct VideoReader::State {
  State(const std::string& path, const VideoReaderOptions& options)
      : threads(decoding_threads(path, options)),
        source(path, options, threads),
        facts(source.facts()) {}

  // Returns false if pictures are read by the caller's thread.
  bool reads_ahead() {
    if (threads == 1 || ahead) return ahead.has_value();
    const std::size_t bytes = std::size_t{3} * source.width() * source.height() / 2;
    const std::size_t most =
        std::clamp<std::size_t>(kMostBytesAhead / bytes, 1, kMostPicturesAhead);
    try {
      ahead.emplace(most, [this](ReadPicture& picture, const std::stop_token& stop) {
        return source.next(picture, stop);
      });
    } catch (const std::system_error&) {
      threads = 1;  // The system has no more.
    }
    return ahead.has_value();
  }

  int threads;
  ClipReader source;
  ClipFacts facts;  // Facts up to the picture that next() returned last.
  ReadPicture read;
  std::optional<PictureReadAhead> ahead;  // Begins with the first next().
};

VideoReader::VideoReader(const std::string& path, const VideoReaderOptions& options)
    : state_(std::make_unique<State>(path, options)) {}

VideoReader::~VideoReader() = default;
VideoReader::VideoReader(VideoReader&&) noexcept = default;
VideoReader& VideoReader::operator=(VideoReader&&) noexcept = default;

bool VideoReader::next(Picture& picture) {
  State& state = *state_;
  std::swap(state.read.picture, picture);
  bool is_there = false;
  try {
    is_there = state.reads_ahead() ? state.ahead->next(state.read) : state.source.next(state.read);
  } catch (...) {
    std::swap(state.read.picture, picture);
    throw;
  }
  std::swap(state.read.picture, picture);
  state.facts = std::move(state.read.facts);
  if (!is_there) return false;
  if (Timeline* const timeline = Timeline::current()) {
    timeline->add({"host decode", "frame", state.read.begin, state.read.end});
  }
  return true;
}

int VideoReader::width() const { return state_->source.width(); }

int VideoReader::height() const { return state_->source.height(); }

FrameRate VideoReader::frame_rate() const { return state_->source.frame_rate(); }

std::optional<TimeBase> VideoReader::time_base() const { return state_->source.time_base(); }

PictureTime VideoReader::time() const { return state_->read.time; }

std::int64_t VideoReader::expected_frames() const { return state_->source.expected_frames(); }

bool VideoReader::full_range() const { return state_->source.converter().full_range(); }

// y4m has no chroma at the right or at the top.
bool VideoReader::chroma_left() const {
  const Orientation& orientation = state_->source.orientation();
  return state_->source.converter().chroma_left() && !orientation.transposes &&
         !orientation.flips_x;
}

SampleAspect VideoReader::aspect() const {
  const SampleAspect aspect = state_->source.aspect();
  if (!state_->source.orientation().transposes) return aspect;
  return {aspect.denominator, aspect.numerator};
}

FieldOrder VideoReader::field_order() const {
  const FieldOrder order = state_->source.field_order();
  const Orientation& orientation = state_->source.orientation();
  if (!is_interlaced(order)) return order;
  if (orientation.transposes) return FieldOrder::kUnknown;
  // If the number of rows is even, flipped rows belong to the other field.
  if (!orientation.flips_y || height() % 2 != 0) return order;
  if (order == FieldOrder::kMixed) return order;
  return order == FieldOrder::kTopFirst ? FieldOrder::kBottomFirst : FieldOrder::kTopFirst;
}

ClipLosses VideoReader::losses() const { return state_->facts.losses; }

std::string VideoReader::source_format() const { return state_->source.source_format(); }

std::string VideoReader::converted() const { return state_->source.converter().converted(); }

std::string VideoReader::padded() const {
  const auto whole = [](int size) {
    return (size + Picture::kMacroblock - 1) / Picture::kMacroblock * Picture::kMacroblock;
  };
  const int width = whole(this->width());
  const int height = whole(this->height());
  if (width == this->width() && height == this->height()) return "";
  return std::to_string(this->width()) + "x" + std::to_string(this->height()) + " padded to " +
         std::to_string(width) + "x" + std::to_string(height) + ", whole macroblocks";
}

std::string VideoReader::turned() const {
  const DisplayMatrix matrix = state_->source.display_matrix();
  const Orientation& orientation = state_->source.orientation();
  const std::string text = orientation.text();
  if (!text.empty()) {
    const bool has_fields = is_interlaced(state_->source.field_order());
    const bool loses_fields = has_fields && orientation.transposes;
    return "pictures are " + text + ", as the container says" +
           (loses_fields ? "; lines of interlaced frames become columns" : "");
  }
  const bool is_turned = matrix.degrees() != 0 && !matrix.is_orthogonal();
  if (!is_turned) return "";
  return "the container says to rotate pictures by " + std::to_string(matrix.degrees()) +
         " degrees, which are left as they are stored";
}

std::vector<std::string> VideoReader::irregularities(bool keeps_times) const {
  std::vector<std::string> sentences;
  const auto& [losses, empty, irregular, truncated] = state_->facts;
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
  if (sentences.empty() && !irregular.empty() && !keeps_times) sentences.push_back(irregular);
  return sentences;
}

std::string VideoReader::truncated() const { return state_->facts.truncated; }

}  // namespace millrace::tools
