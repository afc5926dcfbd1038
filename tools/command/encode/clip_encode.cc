// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/encoder.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/interrupt_stop.h>
#include <millrace/tools/command/common/progress.h>
#include <millrace/tools/command/encode/clip_encode.h>
#include <millrace/tools/command/encode/encoder_input.h>
#include <millrace/tools/files/output/make_folder.h>
#include <millrace/tools/video/encoding/sample_copy.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

std::string size_text(int width, int height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

// Pictures of a clip from which a GPU that does all of them is faster than one that searches alone,
// although it takes longer to begin. Measured at 1080p on an H200.
constexpr std::int64_t kPicturesForDevice = 60;

// Returns what is best for a clip of so many frames, where the options do not say. Tasks of a
// device have lanes of their own for these decisions alone.
h264::DeviceWork device_work_for(const h264::EncoderOptions& encoder, std::int64_t frames) {
  const bool is_fast =
      encoder.decision == h264::ModeDecision::kCost && encoder.search == h264::EncoderSearch::kFull;
  return is_fast && frames >= kPicturesForDevice ? h264::DeviceWork::kPictures
                                                 : h264::DeviceWork::kSearch;
}

// Throws Error (kInvalidArgument) for options out of range.
h264::EncoderOptions encoder_options(const EncodeOptions& options, const VideoReader& clip) {
  h264::EncoderOptions encoder = options.encoder();
  encoder.width = coded_size(clip.width());
  encoder.height = coded_size(clip.height());
  encoder.frame_rate = static_cast<std::uint32_t>(clip.frame_rate().numerator);
  encoder.frame_rate_base = static_cast<std::uint32_t>(clip.frame_rate().denominator);
  encoder.sample_aspect_width = clip.aspect().numerator;
  encoder.sample_aspect_height = clip.aspect().denominator;
  encoder.is_full_range = clip.full_range();
  if (!options.device_work) {
    encoder.device_work = device_work_for(encoder, expected_frames(clip, options.common.frames));
  }
  h264::check_encoder_options(encoder);
  return encoder;
}

// Returns why the device does not do the pictures; "" if it does, or if that is not requested.
std::string fallback_of(const EncodeOptions& options, const h264::Encoder& encoder,
                        const Device& device, int pictures_a_group) {
  const bool is_requested = options.device_work == h264::DeviceWork::kPictures;
  if (!is_requested || encoder.device_work() == h264::DeviceWork::kPictures) return "";
  const std::string what = "--on-device pictures is done as search: ";
  if (device.info().shares_host_memory) {
    return what + device.info().name + " has no memory of its own; give a GPU by --device";
  }
  return what + "two groups of " + std::to_string(pictures_a_group) +
         " pictures take too much memory; give a lower --gop";
}

// Returns the format of the pictures that decoders show.
Y4mFormat coded_format(const h264::EncoderOptions& encoder, const VideoReader& clip) {
  return {.width = encoder.width,
          .height = encoder.height,
          .rate = clip.frame_rate(),
          .full_range = clip.full_range(),
          .chroma_left = true,  // The position that streams without a statement have.
          .aspect = clip.aspect()};
}

CodedPictureFigures figures_of(const h264::EncodedPicture& picture) {
  CodedPictureFigures figures{.type = picture.type,
                              .is_idr = picture.is_idr,
                              .qp = picture.qp,
                              .bits = 8 * picture.bytes.size()};
  std::ranges::copy(picture.squared_errors, figures.squared_errors.begin());
  return figures;
}

VideoReader checked_clip(const EncodeOptions& options) {
  check_outputs_differ({{"--output", options.out},
                        {"--reconstruction", options.reconstruction},
                        {"--json", options.common.json_path},
                        {"--trace", options.common.trace_path}},
                       options.clip.files());
  return open_clip(options.clip, options.common.frames);
}

EncodeOutputs make_outputs(const EncodeOptions& options, const Y4mFormat& format,
                           const VideoReader& clip) {
  if (!options.folder.empty()) make_folder(options.folder);
  return EncodeOutputs(options, format, clip.time_base());
}

}  // namespace

ClipEncode::ClipEncode(const EncodeOptions& options, std::shared_ptr<Device> device,
                       const InterruptGuard& interrupt)
    : options_(options),
      interrupt_(interrupt),
      device_(std::move(device)),
      clip_(checked_clip(options)),
      encoder_(encoder_options(options, clip_)),
      outputs_(make_outputs(options, coded_format(encoder_, clip_), clip_)),
      result_{.encoder = encoder_,
              .device = device_->info().name,
              .fallback = {},
              .summary = EncodingSummary(encoder_.width, encoder_.height, clip_.frame_rate())} {}

std::int64_t ClipEncode::encode(bool shows_progress) {
  const std::int64_t limit = options_.common.frames;
  h264::Encoder encoder(device_, encoder_);
  result_.encoder.device_work = encoder.device_work();
  result_.fallback = fallback_of(options_, encoder, *device_, encoder_.pictures_a_group);
  EncoderInput input(clip_, limit, interrupt_);
  std::optional<Progress> progress;
  if (shows_progress) progress.emplace(expected_frames(clip_, limit));
  const InterruptStop stop(interrupt_);
  const auto begin = std::chrono::steady_clock::now();
  encoder.run({.produce = [&](h264::SamplePicture& samples) { return input.read(samples); },
               .consume =
                   [&](const h264::EncodedPicture& picture) {
                     const TimelineScope scope("host write", "frame");
                     outputs_.write(picture, input.take_time());
                     result_.summary.add(figures_of(picture));
                     if (progress) progress->advance();
                   },
               .takes_reconstructions = !options_.reconstruction.empty()},
              stop.token());
  result_.seconds = seconds_since(begin);
  return static_cast<std::int64_t>(result_.summary.pictures().size());
}

void ClipEncode::commit() {
  outputs_.commit(json());
  // Notes come once files are in place: an error before that is the only line.
  write_notes();
}

void ClipEncode::write_notes() const {
  note(result_.fallback);
  note(clip_.converted());
  note(clip_.turned());
  if (is_interlaced(clip_.field_order())) {
    note("frames are interlaced: each holds two fields, and is coded as a whole");
  }
  const int width = encoder_.width;
  const int height = encoder_.height;
  if (width != clip_.width() || height != clip_.height()) {
    note(size_text(clip_.width(), clip_.height()) + " is coded as " + size_text(width, height) +
         ", as 4:2:0 streams have even sizes; the samples at its edges are repeated beyond them");
  }
  note_end_of_clip(options_.clip, clip_, outputs_.keeps_times());
}

}  // namespace millrace::tools
