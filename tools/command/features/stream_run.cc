// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/stream_run.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/decoded_measurement.h>
#include <millrace/tools/files/interrupt.h>
#include <millrace/tools/video/h264/parser_feed.h>

namespace millrace::tools {
namespace {

constexpr std::int64_t kMostFaults = 16;  // Of a stream, in the output; all are counted.

// An error of the run, such as a full disk, which is not one of the stream that is read.
struct OutputFailed {
  std::exception_ptr error;
};

std::string fault_text(const h264::StreamFault& fault) {
  return fault.message + " (NAL unit " + std::to_string(fault.nal_unit) + ", byte " +
         std::to_string(fault.byte) + ", picture " + std::to_string(fault.picture) + ")";
}

// Adds frames to the output in decoding order; where pictures are decoded, once they are output.
class FrameSink final : public h264::PictureSink {
 public:
  FrameSink(const StreamRunOptions& options, StreamOutput& output)
      : options_(options), output_(output) {
    if (options.decodes) measurement_.emplace(options.reference);
  }

  void decode(const std::shared_ptr<const h264::ParsedPicture>& picture) override {
    if (picture->is_inferred) return extractor_.skip(*picture);
    if (has_all()) return;
    pending_.push_back({.picture = picture->id,
                        .row = {.frame = end_.frames, .features = extractor_.measure(*picture)},
                        .is_measured = !measurement_});
    ++end_.frames;
    write_measured();
    guard([&] {
      for (PictureConsumer* const consumer : options_.consumers) consumer->add(*picture);
    });
  }

  // Takes the next frame in output order.
  void take(const h264::DecodedFrame& frame) {
    const DecodedFeatures decoded = measurement_->measure(frame);
    PendingFrame* const pending = find(frame.picture);
    if (pending == nullptr) return;
    pending->row.decoded = decoded;
    pending->is_measured = true;
    write_measured();
  }

  void release(std::int64_t picture) override {
    if (PendingFrame* const pending = find(picture)) {
      pending->is_measured = true;  // It is never output.
      write_measured();
    }
    extractor_.release(picture);
    for (PictureConsumer* const consumer : options_.consumers) consumer->release(picture);
  }

  void fault(const h264::StreamFault& fault) override {
    if (has_all()) return;
    if (end_.faults == 0) first_fault_ = fault_text(fault);
    if (fault.is_unsupported && unsupported_.empty()) unsupported_ = fault_text(fault);
    if (end_.faults++ < kMostFaults) guard([&] { output_.add_fault(fault); });
  }

  // Returns true if nothing more has to be read.
  bool is_complete() const { return has_all() && pending_.empty(); }

  StreamEnd take_end() {
    if (end_.frames == 0) {
      const std::string& why = unsupported_.empty() ? first_fault_ : unsupported_;
      end_.error = why.empty() ? "has no picture" : why;
    } else if (measurement_) {
      end_.error = measurement_->problem();
      end_.notes = measurement_->notes(!has_all());
    }
    return std::move(end_);
  }

 private:
  struct PendingFrame {
    std::int64_t picture = 0;  // ParsedPicture::id
    FeatureRow row;
    bool is_measured = false;
  };

  bool has_all() const { return options_.frames > 0 && end_.frames >= options_.frames; }

  PendingFrame* find(std::int64_t picture) {
    const auto found = std::find_if(pending_.begin(), pending_.end(), [&](const auto& pending) {
      return pending.picture == picture;
    });
    return found == pending_.end() ? nullptr : &*found;
  }

  void write_measured() {
    for (; !pending_.empty() && pending_.front().is_measured; pending_.pop_front()) {
      guard([&] { output_.add(pending_.front().row); });
    }
  }

  template <class Write>
  void guard(const Write& write) {
    try {
      write();
    } catch (...) {
      throw OutputFailed{std::current_exception()};
    }
  }

  const StreamRunOptions& options_;
  StreamOutput& output_;
  h264::FrameFeatureExtractor extractor_;
  std::optional<DecodedMeasurement> measurement_;
  std::deque<PendingFrame> pending_;  // In decoding order; some wait for their decoded picture.
  StreamEnd end_;
  std::string first_fault_;
  std::string unsupported_;
};

// Reads until the sink is complete. Returns why the source could not be read on, or "". `Parser` is
// StreamParser or Decoder.
template <class Parser>
std::string read_stream(NalUnitSource& source, Parser& parser, const FrameSink& sink) {
  ParserFeed feed(parser, [&sink] { return sink.is_complete(); });
  std::string problem;
  try {
    while (!sink.is_complete() && interrupting_signal() == 0 && source.read(feed)) {
    }
  } catch (const Error& error) {
    problem = error.what();
  }
  if (!sink.is_complete()) parser.finish();
  return problem;
}

std::string read_and_measure(NalUnitSource& source, bool decodes, FrameSink& sink) {
  if (!decodes) {
    h264::StreamParser parser(sink);
    return read_stream(source, parser, sink);
  }
  h264::DecoderOptions options;
  options.observer = &sink;
  h264::Decoder decoder([&](const h264::DecodedFrame& frame) { sink.take(frame); }, options);
  return read_stream(source, decoder, sink);
}

}  // namespace

StreamEnd run_stream(NalUnitSource& source, const StreamRunOptions& options, StreamOutput& output) {
  FrameSink sink(options, output);
  std::string problem;
  try {
    problem = read_and_measure(source, options.decodes, sink);
  } catch (const OutputFailed& failed) {
    std::rethrow_exception(failed.error);
  }
  StreamEnd end = sink.take_end();
  if (!problem.empty()) end.error = problem;
  end.lost_packets = source.lost_packets();
  const std::string notes = source.notes();
  if (!notes.empty()) end.notes = end.notes.empty() ? notes : notes + "; " + end.notes;
  return end;
}

}  // namespace millrace::tools
