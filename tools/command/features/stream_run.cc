// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/stream_run.h>

#include <memory>
#include <span>
#include <string>

#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/interrupt.h>

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

class FrameSink final : public h264::PictureSink {
 public:
  FrameSink(const StreamRunOptions& options, StreamOutput& output)
      : options_(options), output_(output) {}

  void decode(const std::shared_ptr<const h264::ParsedPicture>& picture) override {
    if (picture->is_inferred) return extractor_.skip(*picture);
    if (has_all()) return;
    const FeatureRow row = {.frame = end_.frames, .features = extractor_.measure(*picture)};
    ++end_.frames;
    guard([&] {
      output_.add(row);
      for (PictureConsumer* const consumer : options_.consumers) consumer->add(*picture);
    });
  }

  void release(std::int64_t picture) override {
    for (PictureConsumer* const consumer : options_.consumers) consumer->release(picture);
  }

  void fault(const h264::StreamFault& fault) override {
    if (end_.faults == 0) first_fault_ = fault_text(fault);
    if (fault.is_unsupported && unsupported_.empty()) unsupported_ = fault_text(fault);
    if (end_.faults++ < kMostFaults) guard([&] { output_.add_fault(fault); });
  }

  bool has_all() const { return options_.frames > 0 && end_.frames >= options_.frames; }

  StreamEnd take_end() {
    if (end_.frames == 0) {
      const std::string& why = unsupported_.empty() ? first_fault_ : unsupported_;
      end_.error = why.empty() ? "has no picture" : why;
    }
    return std::move(end_);
  }

 private:
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
  StreamEnd end_;
  std::string first_fault_;
  std::string unsupported_;
};

class ParserFeed final : public NalUnitReceiver {
 public:
  ParserFeed(h264::StreamParser& parser, const FrameSink& sink) : parser_(parser), sink_(sink) {}

  void receive(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) override {
    if (!sink_.has_all()) parser_.push_nal_unit(unit, byte, framing_bytes);
  }
  void receive_beside(std::span<const std::uint8_t> unit) override {
    // Its bytes are taken off again: they are not the stream's.
    parser_.push_nal_unit(unit, 0, -static_cast<int>(unit.size()));
  }
  void note_loss() override { parser_.note_loss(); }

 private:
  h264::StreamParser& parser_;
  const FrameSink& sink_;
};

}  // namespace

StreamEnd run_stream(NalUnitSource& source, const StreamRunOptions& options, StreamOutput& output) {
  FrameSink sink(options, output);
  std::string problem;
  try {
    h264::StreamParser parser(sink);
    ParserFeed feed(parser, sink);
    try {
      while (!sink.has_all() && interrupting_signal() == 0 && source.read(feed)) {
      }
    } catch (const Error& error) {
      problem = error.what();
    }
    if (!sink.has_all()) parser.finish();
  } catch (const OutputFailed& failed) {
    std::rethrow_exception(failed.error);
  }
  StreamEnd end = sink.take_end();
  if (!problem.empty()) end.error = problem;
  end.lost_packets = source.lost_packets();
  end.notes = source.notes();
  return end;
}

}  // namespace millrace::tools
