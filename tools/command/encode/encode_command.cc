// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/encode/encode_command.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <millrace/algorithms/h264/encoder/encoder.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/interrupt_stop.h>
#include <millrace/tools/command/common/progress.h>
#include <millrace/tools/command/encode/encode_options.h>
#include <millrace/tools/command/encode/encode_outputs.h>
#include <millrace/tools/command/encode/encode_report.h>
#include <millrace/tools/files/interrupt.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/video/encoding/sample_copy.h>
#include <millrace/tools/video/video_reader.h>

namespace millrace::tools {
namespace {

std::string size_text(int width, int height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

h264::EncoderOptions encoder_options(const EncodeOptions& options, const VideoReader& clip) {
  h264::EncoderOptions encoder = options.encoder();
  encoder.width = coded_size(clip.width());
  encoder.height = coded_size(clip.height());
  encoder.frame_rate = static_cast<std::uint32_t>(clip.frame_rate().numerator);
  encoder.frame_rate_base = static_cast<std::uint32_t>(clip.frame_rate().denominator);
  encoder.sample_aspect_width = clip.aspect().numerator;
  encoder.sample_aspect_height = clip.aspect().denominator;
  encoder.is_full_range = clip.full_range();
  return encoder;
}

// Returns the format of the pictures that decoders show.
Y4mFormat coded_format(const h264::EncoderOptions& encoder, const VideoReader& clip) {
  return {.width = encoder.width,
          .height = encoder.height,
          .rate = clip.frame_rate(),
          .full_range = clip.full_range(),
          .chroma_left = true,  // Where streams that do not say have it.
          .aspect = clip.aspect()};
}

void check_options(const EncodeOptions& options) {
  check_outputs_differ({{"--output", options.out},
                        {"--reconstruction", options.reconstruction},
                        {"--json", options.common.json_path},
                        {"--trace", options.common.trace_path}},
                       options.clip.files());
}

// The clip's pictures for the encoder, up to --frames.
class EncoderInput {
 public:
  EncoderInput(VideoReader& clip, std::int64_t limit, const InterruptGuard& interrupt)
      : clip_(clip), limit_(limit), interrupt_(interrupt) {}

  // After a signal there are more pictures, until the encoder has a whole group.
  bool read(h264::SamplePicture& samples) {
    const TimelineScope scope("host read", "frame");
    if (limit_ > 0 && frames_ >= limit_) return false;
    try {
      if (!clip_.next(picture_)) return false;
    } catch (const Error& error) {
      // A signal came while a pipe was waited for.
      if (!interrupt_.caused(error)) throw;
      return false;
    }
    copy_samples(picture_, samples);
    ++frames_;
    return true;
  }

 private:
  VideoReader& clip_;
  const std::int64_t limit_;
  const InterruptGuard& interrupt_;
  Picture picture_;
  std::int64_t frames_ = 0;
};

CodedPictureFigures figures_of(const h264::EncodedPicture& picture) {
  CodedPictureFigures figures{.type = picture.type,
                              .is_idr = picture.is_idr,
                              .qp = picture.qp,
                              .bits = 8 * picture.bytes.size()};
  std::ranges::copy(picture.squared_errors, figures.squared_errors.begin());
  return figures;
}

// Encodes the clip into the outputs.
EncodeResult encode(const EncodeOptions& options, std::shared_ptr<Device> device,
                    const h264::EncoderOptions& encoder_options, VideoReader& clip,
                    const InterruptGuard& interrupt, EncodeOutputs& outputs) {
  EncodeResult result{
      .encoder = encoder_options,
      .device = device->info().name,
      .summary = EncodingSummary(encoder_options.width, encoder_options.height, clip.frame_rate())};
  const std::int64_t limit = options.common.frames;
  h264::Encoder encoder(std::move(device), encoder_options);
  EncoderInput input(clip, limit, interrupt);
  Progress progress(expected_frames(clip, limit));
  const InterruptStop stop(interrupt);
  const auto begin = std::chrono::steady_clock::now();
  encoder.run({.produce = [&](h264::SamplePicture& samples) { return input.read(samples); },
               .consume =
                   [&](const h264::EncodedPicture& picture) {
                     const TimelineScope scope("host write", "frame");
                     outputs.write(picture);
                     result.summary.add(figures_of(picture));
                     progress.advance();
                   }},
              stop.token());
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

// Called once files are in place: an error before that is the only line.
void write_notes(const EncodeOptions& options, const VideoReader& clip) {
  note(clip.converted());
  note(clip.turned());
  if (is_interlaced(clip.field_order())) {
    note("frames are interlaced: each holds two fields, and is coded as a whole");
  }
  const int width = coded_size(clip.width());
  const int height = coded_size(clip.height());
  if (width != clip.width() || height != clip.height()) {
    note(size_text(clip.width(), clip.height()) + " is coded as " + size_text(width, height) +
         ", as 4:2:0 streams have even sizes; the samples at its edges are repeated beyond them");
  }
  note_end_of_clip(options.clip, clip);
}

void run(const EncodeOptions& options) {
  const std::shared_ptr<Device> device =
      open_named_device(options.device.empty() ? default_device() : options.device);
  check_options(options);
  VideoReader clip = open_clip(options.clip, options.common.frames);
  const h264::EncoderOptions encoder = encoder_options(options, clip);
  h264::check_encoder_options(encoder);
  const InterruptGuard interrupt;
  EncodeOutputs outputs(options, coded_format(encoder, clip));
  const EncodeResult result = encode(options, device, encoder, clip, interrupt, outputs);
  const auto frames = static_cast<std::int64_t>(result.summary.pictures().size());
  if (frames == 0) {
    note(interruption(interrupt.signal()) + " before the first group; nothing was written");
    throw ExitStatus(128 + interrupt.signal());
  }
  outputs.commit(to_json(options, clip, result));
  write_notes(options, clip);
  if (!has_standard_output({options.out, options.reconstruction, options.common.json_path,
                            options.common.trace_path})) {
    print_report(options, clip, result);
  }
  if (!interrupt.interrupted()) return;
  note(interruption(interrupt.signal()) + "; " + frames_text(frames) + " complete and written");
  throw ExitStatus(128 + interrupt.signal());
}

}  // namespace

void add_encode_command(Command& root) {
  Command& command = root.add_subcommand(
      "encode", "Encode a clip to an H.264 stream of I and P pictures, by full motion search");
  auto options = std::make_shared<EncodeOptions>();
  add_encode_options(command, *options);
  command.on_run([options] { run(*options); });
}

}  // namespace millrace::tools
