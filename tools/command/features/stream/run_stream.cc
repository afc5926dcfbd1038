// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/stream/frame_sink.h>
#include <millrace/tools/command/features/stream/run_stream.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/video/h264/parser_feed.h>

#include <string>

namespace millrace::tools {
namespace {

h264::MissingPictures missing_in(const h264::StreamParser& parser) { return parser.missing(); }

h264::MissingPictures missing_in(const h264::Decoder& decoder) {
  return decoder.statistics().missing;
}

// Reads until the sink is complete. Returns why the source could not be read on, or "". `Parser` is
// StreamParser or Decoder.
template <class Parser>
std::string read_stream(h264::NalUnitSource& source, Parser& parser, FrameSink& sink) {
  ParserFeed feed(parser, [&sink] { return sink.is_complete(); });
  std::string problem;
  try {
    while (!sink.is_complete() && interrupting_signal() == 0 && source.read(feed)) {
    }
  } catch (const Error& error) {
    problem = error.what();
  }
  if (!sink.is_complete()) parser.finish();
  sink.set_missing(missing_in(parser));
  return problem;
}

std::string read_and_measure(h264::NalUnitSource& source, bool decodes, FrameSink& sink) {
  if (!decodes) {
    h264::StreamParser parser(sink);
    return read_stream(source, parser, sink);
  }
  h264::DecoderOptions options;
  options.observer = &sink;
  h264::Decoder decoder([&](const h264::DecodedFrame& frame) { sink.frame(frame); }, options);
  return read_stream(source, decoder, sink);
}

}  // namespace

StreamEnd run_stream(h264::NalUnitSource& source, const StreamRunOptions& options,
                     StreamOutput& output) {
  FrameSink sink(options, output);
  std::string problem;
  try {
    problem = read_and_measure(source, options.decodes, sink);
  } catch (const OutputFailed& failed) {
    std::rethrow_exception(failed.error);
  }
  return sink.take_end(source, problem);
}

}  // namespace millrace::tools
