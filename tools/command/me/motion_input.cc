// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/me/motion_input.h>
#include <millrace/tools/video/decoder/clip_input.h>
#include <millrace/tools/video/raw/raw_format.h>
#include <millrace/tools/video/raw/raw_size.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>

namespace millrace::tools {
namespace {

using motion::MotionVector;

std::string size_text(std::int64_t width, std::int64_t height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

void check_size(const std::string& path, std::int64_t width, std::int64_t height,
                const VideoReader& clip) {
  if (width == clip.width() && height == clip.height()) return;
  reject(path + ": is " + size_text(width, height) + " samples and the clip " +
         size_text(clip.width(), clip.height()) + "; their sizes must match");
}

// Returns the options to read the reconstruction: as raw video if its name says so, or if its kind
// is that of CLIP and --size is given. A size or format that its name does not give is the clip's.
VideoReaderOptions reconstruction_reading(const MeOptions& options, const VideoReader& clip) {
  const auto kind = [](const std::string& path) { return std::filesystem::path(path).extension(); };
  const std::string& path = options.reconstructed;
  VideoReaderOptions reading = options.clip.reading;
  reading.is_pattern = false;
  if (!has_raw_name(path)) {
    return kind(path) == kind(options.clip.path) ? reading : VideoReaderOptions{};
  }
  if (reading.width == 0 && !raw_size_from_name(path)) {
    reading.width = clip.width();
    reading.height = clip.height();
  }
  if (raw_format_from_name(path)) reading.pixel_format.clear();
  return reading;
}

void copy_luma(const Picture& picture, std::span<std::uint8_t> samples) {
  const ConstPicturePlane luma = picture.plane(0);
  for (int y = 0; y < luma.padded_height; ++y) {
    std::copy_n(luma.row(y), luma.padded_width,
                samples.data() + static_cast<std::ptrdiff_t>(y) * luma.padded_width);
  }
}

}  // namespace

MotionInput::MotionInput(const MeOptions& options)
    : options_(options), clip_(open_clip(options.clip, options.common.frames)) {
  if (!options.reconstructed.empty()) {
    if (is_standard_input(options.reconstructed) && is_standard_input(options.clip.path)) {
      reject("CLIP and --reconstructed are both standard input; give a file for one of them");
    }
    reconstructed_.emplace(options.reconstructed, reconstruction_reading(options, clip_));
    check_size(options.reconstructed, reconstructed_->width(), reconstructed_->height(), clip_);
  }
  if (const std::string path = options.predictor_file(); !path.empty()) {
    given_.emplace(path);
    check_size(path, given_->format().width, given_->format().height, clip_);
  }
}

std::string MotionInput::reconstruction_converted() const {
  const std::string converted = reconstructed_ ? reconstructed_->converted() : "";
  return converted.empty() ? "" : options_.reconstructed + ": " + converted;
}

int MotionInput::rounded_up(int size) {
  return (size + Picture::kMacroblock - 1) / Picture::kMacroblock * Picture::kMacroblock;
}

std::size_t MotionInput::macroblocks() const {
  return static_cast<std::size_t>(padded_width() / Picture::kMacroblock) *
         static_cast<std::size_t>(padded_height() / Picture::kMacroblock);
}

bool MotionInput::read(const motion::InputPicture<std::uint8_t>& target) {
  const TimelineScope scope("host read", "frame");
  InFlight next = take_unused();
  if (!clip_.next(next.picture)) return false;
  copy_luma(next.picture, target.current);
  if (reconstructed_) read_reconstruction(target.index, target.reconstruction);
  if (given_) {
    read_predictors(target.index, target.predictors);
    next.predictors.assign(target.predictors.begin(), target.predictors.begin() + macroblocks());
  }
  const std::lock_guard lock(mutex_);
  in_flight_.push_back(std::move(next));
  return true;
}

void MotionInput::drop() {
  const std::lock_guard lock(mutex_);
  unused_.push_back(std::move(searched_));
  searched_ = std::move(in_flight_.front());
  in_flight_.pop_front();
}

MotionView MotionInput::view(const motion::PictureMotion& motion) {
  drop();
  if (!given_) {
    searched_.predictors.assign(macroblocks(), MotionVector());
    std::ranges::copy(next_predictors_, searched_.predictors.begin());
  }
  if (options_.predictor_rule() == motion::PredictorRule::kPrevious && motion.references > 0) {
    next_predictors_.resize(macroblocks());
    for (std::size_t i = 0; i < next_predictors_.size(); ++i) {
      next_predictors_[i] = motion.vectors[0][motion::MotionField::index(i, 0)];
    }
  }
  return {motion, std::as_const(searched_.picture).plane(0), searched_.predictors};
}

MotionInput::InFlight MotionInput::take_unused() {
  const std::lock_guard lock(mutex_);
  if (unused_.empty()) return {};
  InFlight unused = std::move(unused_.back());
  unused_.pop_back();
  return unused;
}

void MotionInput::read_reconstruction(std::uint64_t index, std::span<std::uint8_t> samples) {
  if (!reconstructed_->next(reconstruction_)) {
    throw Error(ErrorCode::kIo, options_.reconstructed + ": ends before frame " +
                                    std::to_string(index) +
                                    " of the clip; give a clip of as many frames");
  }
  copy_luma(reconstruction_, samples);
}

// The first picture is not searched and not in the file.
void MotionInput::read_predictors(std::uint64_t index, std::span<MotionVector> predictors) {
  std::ranges::fill(predictors, MotionVector());
  if (index == 0) return;
  bool is_there = true;
  while (is_there && given_picture_.index < index) is_there = given_->next(given_picture_);
  if (!is_there || given_picture_.index != index) {
    throw Error(ErrorCode::kIo, options_.predictor + ": has no vectors of frame " +
                                    std::to_string(index) +
                                    "; give the file that `millrace me -o` wrote for this clip");
  }
  for (std::size_t i = 0; i < predictors.size(); ++i) {
    const std::size_t reference = std::min(i / macroblocks(), given_picture_.fields.size() - 1);
    const std::size_t position = motion::MotionField::index(i % macroblocks(), 0);
    predictors[i] = given_picture_.fields[reference].vectors[position];
  }
}

}  // namespace millrace::tools
