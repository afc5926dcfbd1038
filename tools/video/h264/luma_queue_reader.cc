// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/h264/h264_input.h>
#include <millrace/tools/video/h264/luma_queue_reader.h>
#include <millrace/tools/video/h264/parser_feed.h>

#include <memory>
#include <utility>

namespace millrace::tools {
namespace {

// Counts pictures and keeps the first fault that loses some.
class FirstPicture final : public h264::PictureSink {
 public:
  void decode(const std::shared_ptr<const h264::ParsedPicture>&) override { is_there_ = true; }
  void fault(const h264::StreamFault& fault) override {
    if (problem_.empty()) problem_ = unsupported_pictures(fault);
  }

  bool is_there() const { return is_there_; }
  const std::string& problem() const { return problem_; }

 private:
  bool is_there_ = false;
  std::string problem_;
};

class QueueSink final : public h264::PictureSink {
 public:
  QueueSink(const std::string& path, std::size_t most) : path_(path), most_(most) {}

  void decode(const std::shared_ptr<const h264::ParsedPicture>& picture) override {
    if (!is_full()) append_luma(*picture, queue_);
  }
  void fault(const h264::StreamFault& fault) override {
    const std::string problem = unsupported_pictures(fault);
    if (!problem.empty()) throw Error(ErrorCode::kUnsupported, path_ + ": " + problem);
  }

  bool is_full() const { return queue_.sizes.size() >= most_; }
  h264::LumaQueue take() { return std::move(queue_); }

 private:
  const std::string& path_;
  const std::size_t most_;
  h264::LumaQueue queue_;
};

}  // namespace

std::string unsupported_pictures(const h264::StreamFault& fault) {
  if (!fault.is_unsupported || fault.has_primary_pictures) return "";
  return fault.message + " (NAL unit " + std::to_string(fault.nal_unit) + ", byte " +
         std::to_string(fault.byte) + ")";
}

std::string queue_problem(const std::string& path) {
  const std::unique_ptr<h264::NalUnitSource> source = open_one_stream(path);
  FirstPicture sink;
  h264::StreamParser parser(sink, {.wants_coefficients = false});
  ParserFeed feed(parser);
  bool has_more = true;
  while (has_more && !sink.is_there() && sink.problem().empty()) has_more = source->read(feed);
  if (!has_more) parser.finish();
  if (!sink.problem().empty() || sink.is_there()) return sink.problem();
  return "the stream has no picture that can be parsed";
}

h264::LumaQueue read_luma_queue(const std::string& path, std::size_t most) {
  const std::unique_ptr<h264::NalUnitSource> source = open_one_stream(path);
  QueueSink sink(path, most);
  h264::StreamParser parser(sink);
  ParserFeed feed(parser);
  bool has_more = true;
  while (has_more && !sink.is_full()) has_more = source->read(feed);
  if (!has_more) parser.finish();
  h264::LumaQueue queue = sink.take();
  if (queue.sizes.empty()) {
    throw Error(ErrorCode::kIo,
                path + ": the stream has no macroblock with a residual; give one of a lower QP");
  }
  if (queue.sizes.size() > most) {
    queue.sizes.resize(most);
    queue.coefficients.resize(most * idct::kMacroblockSamples);
  }
  return queue;
}

}  // namespace millrace::tools
