// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/queue/reconstruct_from_residual.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/common/progress.h>
#include <millrace/tools/command/idct/idct_stream.h>
#include <millrace/tools/video/h264/decoded_picture.h>
#include <millrace/tools/video/h264/luma_queue_reader.h>
#include <millrace/tools/video/h264/parser_feed.h>
#include <millrace/tools/video/picture/quality.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <future>
#include <map>
#include <span>
#include <utility>

namespace millrace::tools {
namespace {

std::string size_text(const Y4mFormat& format) {
  return std::to_string(format.width) + "x" + std::to_string(format.height);
}

// Compares the residual of a queue with the reference transform's on the host's threads, beside the
// caller.
class ResidualCheck {
 public:
  // Both arguments outlive this object.
  ResidualCheck(const idct::MacroblockQueue& queue, std::span<const std::int16_t> residual)
      : queue_(queue),
        residual_(residual),
        first_wrong_(queue.count),
        jobs_(HostThreads::shared(), std::max(HostThreads::shared().count() - 1, 1)) {
    jobs_.start([this] { energy_ = mean_square(residual_); });
    jobs_.start_each((queue.count + kPiece - 1) / kPiece, [this](std::size_t i) { check(i); });
  }

  // Helps, and returns the mean square of the residual. Throws Error (kInternal) where it differs.
  double finish() {
    jobs_.wait();
    if (first_wrong_ == queue_.count) return energy_;
    throw Error(ErrorCode::kInternal, "the residual of macroblock " + std::to_string(first_wrong_) +
                                          " of a picture differs from the reference transform's");
  }

 private:
  static constexpr std::size_t kPiece = 256;  // Macroblocks.

  void check(std::size_t piece) {
    const std::size_t end = std::min(queue_.count, kPiece * (piece + 1));
    for (std::size_t m = kPiece * piece; m < end; ++m) {
      if (is_right(m)) continue;
      for (std::size_t first = first_wrong_; m < first;) {
        if (first_wrong_.compare_exchange_weak(first, m)) break;
      }
      return;
    }
  }

  bool is_right(std::size_t m) const {
    constexpr std::size_t kSamples = idct::kMacroblockSamples;
    std::int16_t expected[kSamples];
    idct::reference_residual(
        queue_.sizes[m],
        std::span<const std::int16_t, kSamples>(queue_.coefficients + kSamples * m, kSamples),
        expected);
    return std::ranges::equal(residual_.subspan(kSamples * m, kSamples), expected);
  }

  const idct::MacroblockQueue queue_;
  const std::span<const std::int16_t> residual_;
  std::atomic<std::size_t> first_wrong_;
  double energy_ = 0;
  HostJobs jobs_;
};

// Pictures are parsed, transformed and reconstructed in decoding order:
//
//   the caller's thread      parse 1 | transform 1 | parse 2       | transform 2 | parse 3
//   the decoder's thread                           | reconstruct 1 |             | reconstruct 2
//   the host's threads                   (all)     | check 1       |    (all)    | check 2
//   a thread for each frame                        | write 0       |             | write 1
//
// Nothing else runs while a picture is transformed, because rates are measured.
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
                  .take_fault = [this](const h264::StreamFault& fault) { add(fault); },
                  .has_thread = options.has_thread,
                  .prepare = [this](const h264::ParsedPicture& picture) { transform(picture); }}) {}

  // Passes the next NAL units on, until a signal. Returns false after the last one, or once no
  // further frame is wanted. What it reads and throws does not depend on threads.
  bool read(h264::NalUnitSource& source, const InterruptGuard& interrupt) {
    ParserFeed feed(decoder_, [&] { return is_done_ || interrupt.interrupted(); });
    try {
      return source.read(feed) && !is_done_;
    } catch (...) {
      decoder_.wait();  // Throws what was thrown for an earlier picture.
      if (is_complete()) return false;
      throw;
    }
  }

  // Must follow the last read(). Returns when the last frame is written and counted.
  void finish() {
    decoder_.wait();
    if (!is_complete()) decoder_.finish();
    finish_writing();
  }

  // Does the same as finish(), but only for pictures that are parsed already.
  void stop() {
    decoder_.wait();
    finish_writing();
  }

  // Valid after finish() or stop().
  IdctStreamResult take_result() {
    result_.runs = contest_.runs();
    return std::move(result_);
  }

 private:
  struct TransformedPicture {
    h264::LumaQueue queue;
    std::vector<std::int16_t> residual;
  };

  // Returns true if no further frame is wanted.
  bool is_complete() const {
    const std::int64_t frames = result_.frames + (has_frame_ ? 1 : 0);
    return options_.frames > 0 && frames >= options_.frames;
  }

  // Transforms a picture's queue when all before it are reconstructed.
  void transform(const h264::ParsedPicture& picture) {
    TransformedPicture& next = transformed_[transformed_count_++ % 2];
    next.queue.clear();
    if (!picture.is_inferred && !picture.slices.empty()) append_luma(picture, next.queue);
    next.residual.resize(next.queue.coefficients.size());
    decoder_.wait();
    is_done_ = is_complete();
    if (is_done_) return;
    if (!next.queue.sizes.empty()) {
      if (writing_.valid()) finish_writing();
      contest_.transform(next.queue.macroblocks(), next.residual.data());
    }
    start_writing();
  }

  void reconstruct(const h264::ParsedPicture& picture, const h264::FindPicture& find,
                   h264::SamplePicture& output) {
    const TransformedPicture& transformed = transformed_[reconstructed_count_++ % 2];
    if (is_complete()) return;  // Nothing will be output.
    ResidualCheck check(transformed.queue.macroblocks(), transformed.residual);
    {
      const TimelineScope scope("host reconstruct", "picture");
      reconstruct_from_residual(picture, find, transformed.residual, output);
    }
    const double energy = check.finish();
    features_[picture.id] = {.luma = transformed.queue.statistics, .residual_energy = energy};
    result_.transformed_pictures += picture.slices.empty() ? 0 : 1;
  }

  // Keeps the frame until it is written beside further pictures.
  void finish(const h264::DecodedFrame& frame) {
    finish_writing();
    if (is_complete()) return;
    check_format(*frame.sequence);
    copy_frame(frame, picture_);
    frame_ = {.concealed_macroblocks = frame.concealed_macroblocks, .damage = frame.damage};
    if (const auto found = features_.find(frame.picture); found != features_.end()) {
      frame_.features = found->second;
      features_.erase(found);
    }
    has_frame_ = true;
  }

  // Measures and writes the frame, if there is one that is not yet written. A thread of its own
  // does so, because it may wait for a pipe, which the host's threads must not.
  void start_writing() {
    if (!has_frame_ || writing_.valid()) return;
    writing_ = std::async(std::launch::async, [this] {
      const TimelineScope scope("host measure and write", "frame");
      frame_.features.blockiness = block_edge_step_ratio(picture_.plane(0), kEdgeBlock);
      take_({frame_.features, picture_, result_.format});
    });
  }

  // Returns when the frame is written and counted. Throws what writing it threw.
  void finish_writing() {
    start_writing();
    if (!has_frame_) return;
    has_frame_ = false;
    writing_.get();
    result_.luma += frame_.features.luma;
    result_.concealed_macroblocks += frame_.concealed_macroblocks;
    result_.damage += frame_.damage;
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
    if (is_complete()) return;
    ++result_.faults;
    const std::string problem = unsupported_pictures(fault);
    if (!problem.empty()) {
      throw Error(ErrorCode::kUnsupported,
                  options_.path + ": " + problem + "; or write --queue requantised");
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

  // The caller's thread fills one while the decoder's reads the other one.
  std::array<TransformedPicture, 2> transformed_;
  std::size_t transformed_count_ = 0;    // Used by the caller's thread.
  std::size_t reconstructed_count_ = 0;  // Used by the decoder's.
  bool is_done_ = false;  // Used by the caller's: it has seen that the run is complete.

  // Used by the decoder's thread, and by the caller's while that one waits.
  std::map<std::int64_t, StreamFeatures>
      features_;            // Features of pictures that were not output yet.
  bool has_frame_ = false;  // One was output that is not counted yet.

  // The frame that is output, which no one else uses while it is written.
  struct {
    StreamFeatures features{};
    std::int64_t concealed_macroblocks = 0;
    h264::PictureDamage damage{};
  } frame_;
  Picture picture_;
  std::future<void> writing_;
  h264::Decoder decoder_;  // Destroyed first, so that its thread has ended.
};

}  // namespace

IdctStreamResult process_stream(const IdctStreamOptions& options, std::vector<DeviceGroup> groups,
                                h264::NalUnitSource& source, const InterruptGuard& interrupt,
                                const TakeStreamFrame& take) {
  StreamRun run(options, std::move(groups), take);
  bool has_more = true;
  const auto unless_interrupted = [&interrupt](const auto& step) {
    try {
      step();
    } catch (const Error& error) {
      // A signal came while a pipe was waited for.
      if (!interrupt.caused(error)) throw;
    }
  };
  unless_interrupted([&] {
    while (has_more && !interrupt.interrupted()) has_more = run.read(source, interrupt);
  });
  unless_interrupted([&] {
    if (!has_more && !interrupt.interrupted()) {
      run.finish();
    } else {
      run.stop();
    }
  });
  IdctStreamResult result = run.take_result();
  result.signal = interrupt.signal();
  return result;
}

}  // namespace millrace::tools
