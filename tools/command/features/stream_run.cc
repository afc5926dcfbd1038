// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/stream_run.h>

#include <memory>
#include <string>

#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/core/error.h>
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

}  // namespace

StreamEnd run_stream(NalUnitSource& source, const StreamRunOptions& options, StreamOutput& output) {
  FrameSink sink(options, output);
  std::string problem;
  try {
    h264::StreamParser parser(sink);
    ParserFeed feed(parser, [&sink] { return sink.has_all(); });
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
