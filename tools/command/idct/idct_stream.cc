// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/idct/idct_stream.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

#include <millrace/algorithms/h264/queue/reconstruct_from_residual.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/common/progress.h>
#include <millrace/tools/video/h264/decoded_picture.h>
#include <millrace/tools/video/h264/luma_queue_reader.h>
#include <millrace/tools/video/h264/parser_feed.h>
#include <millrace/tools/video/picture/quality.h>

namespace millrace::tools {
namespace {

constexpr int kBlock = 8;

std::string size_text(const Y4mFormat& format) {
  return std::to_string(format.width) + "x" + std::to_string(format.height);
}

void check_residual(const idct::MacroblockQueue& queue, std::span<const std::int16_t> residual) {
  constexpr std::size_t kSamples = idct::kMacroblockSamples;
  std::int16_t expected[kSamples];
  for (std::size_t m = 0; m < queue.count; ++m) {
    idct::reference_residual(
        queue.sizes[m],
        std::span<const std::int16_t, kSamples>(queue.coefficients + kSamples * m, kSamples),
        expected);
    if (std::ranges::equal(residual.subspan(kSamples * m, kSamples), expected)) continue;
    throw Error(ErrorCode::kInternal, "the residual of macroblock " + std::to_string(m) +
                                          " of a picture differs from the reference transform's");
  }
}

class StreamRun {
 public:
  StreamRun(const IdctStreamOptions& options, std::vector<DeviceGroup> groups,
            const TakeStreamFrame& take)
      : options_(options),
        take_(take),
        progress_(options.frames),
        contest_(std::move(groups), options.policies),
        decoder_([this](const h264::DecodedFrame& frame) { finish(frame); },
                 {.reconstruct =
                      [this](const h264::ParsedPicture& picture, const h264::FindPicture& find,
                             h264::SamplePicture& output) { reconstruct(picture, find, output); },
                  .take_fault = [this](const h264::StreamFault& fault) { add(fault); }}) {}

  // Returns true if no further frame is wanted.
  bool is_complete() const { return options_.frames > 0 && result_.frames >= options_.frames; }

  h264::Decoder& decoder() { return decoder_; }

  IdctStreamResult take_result() {
    result_.decoding = decoder_.statistics();
    result_.runs = contest_.runs();
    return std::move(result_);
  }

 private:
  void reconstruct(const h264::ParsedPicture& picture, const h264::FindPicture& find,
                   h264::SamplePicture& output) {
    if (is_complete()) return;  // Nothing will be output.
    queue_.clear();
    append_luma(picture, queue_);
    residual_.resize(queue_.coefficients.size());
    if (!queue_.sizes.empty()) {
      contest_.transform(queue_.macroblocks(), residual_.data());
      check_residual(queue_.macroblocks(), residual_);
    }
    const TimelineScope scope("host reconstruct", "picture");
    reconstruct_from_residual(picture, find, residual_, output);
    features_[picture.id] = {.luma = queue_.statistics, .residual_energy = mean_square(residual_)};
    result_.transformed_pictures += picture.slices.empty() ? 0 : 1;
  }

  void finish(const h264::DecodedFrame& frame) {
    if (is_complete()) return;
    const TimelineScope scope("host measure and write", "frame");
    check_format(*frame.sequence);
    copy_frame(frame, picture_);
    StreamFeatures features;
    if (const auto found = features_.find(frame.picture); found != features_.end()) {
      features = found->second;
      features_.erase(found);
    }
    features.blockiness = block_edge_step_ratio(picture_.plane(0), kBlock);
    take_({features, picture_, result_.format});
    result_.luma += features.luma;
    result_.concealed_macroblocks += frame.concealed_macroblocks;
    result_.damage += frame.damage;
    ++result_.frames;
    progress_.advance();
  }

  void check_format(const h264::SequenceParameters& sequence) {
    const Y4mFormat format = y4m_format_of(sequence);
    if (result_.frames == 0) result_.format = format;
    if (size_text(format) == size_text(result_.format)) return;
    throw Error(ErrorCode::kIo, options_.path + ": frame " + std::to_string(result_.frames) +
                                    " is " + size_text(format) + ", the frames before " +
                                    size_text(result_.format) +
                                    "; split the stream where the size changes");
  }

  void add(const h264::StreamFault& fault) {
    const std::string problem = unsupported_pictures(fault);
    if (!problem.empty()) {
      throw Error(ErrorCode::kUnsupported,
                  options_.path + ": " + problem + "; write --queue requantised");
    }
    if (!result_.first_fault.empty()) return;
    result_.first_fault = fault.message + " (NAL unit " + std::to_string(fault.nal_unit) +
                          ", byte " + std::to_string(fault.byte) + ")";
  }

  const IdctStreamOptions& options_;
  const TakeStreamFrame& take_;
  Progress progress_;
  IdctContest contest_;
  IdctStreamResult result_;
  h264::LumaQueue queue_;
  std::vector<std::int16_t> residual_;
  std::map<std::int64_t, StreamFeatures> features_;  // Of pictures that were not output yet.
  Picture picture_;
  h264::Decoder decoder_;
};

}  // namespace

IdctStreamResult process_stream(const IdctStreamOptions& options, std::vector<DeviceGroup> groups,
                                NalUnitSource& source, const InterruptGuard& interrupt,
                                const TakeStreamFrame& take) {
  StreamRun run(options, std::move(groups), take);
  ParserFeed feed(run.decoder());
  bool has_more = true;
  try {
    while (has_more && !run.is_complete() && !interrupt.interrupted()) {
      has_more = source.read(feed);
    }
  } catch (const Error& error) {
    // A signal came while a pipe was waited for.
    if (!interrupt.caused(error)) throw;
  }
  if (!has_more && !interrupt.interrupted()) run.decoder().finish();
  IdctStreamResult result = run.take_result();
  result.signal = interrupt.signal();
  return result;
}

}  // namespace millrace::tools
