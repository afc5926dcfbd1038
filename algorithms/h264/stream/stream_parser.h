// SPDX-License-Identifier: Apache-2.0

// Parses an H.264 stream: NAL units in, parsed pictures out, no sample reconstructed.
//
//   StreamParser parser(sink);
//   parser.push_nal_unit(bytes);  // For each NAL unit, in order.
//   parser.finish();
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_STREAM_PARSER_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_STREAM_PARSER_H_

#include <millrace/algorithms/h264/entropy/slice_data.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/stream/slice_collector.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace millrace::h264 {

struct ParserOptions {
  // If false, ParsedPicture::coefficients stays empty.
  bool wants_coefficients = true;
  // If false, ParsedPicture::macroblocks stays empty, and parse_slice keeps them elsewhere.
  bool wants_macroblocks = true;
  // Parses the data of slices; another function must do what parse_slice_data() does.
  std::function<SliceEnd(ParsedPicture& picture, int slice, std::span<const std::uint8_t> payload,
                         std::size_t first_bit)>
      parse_slice = parse_slice_data;
  // If not null, receives the slices instead of parse_slice. Must outlive the parser. Pictures then
  // have no macroblocks, their numbers of parsed and of lost macroblocks are 0, and faults of the
  // data of slices are not reported. A sink may use a picture only during decode().
  SliceCollector* collector = nullptr;
};

// Pictures of a stream that its sink never gets.
struct MissingPictures {
  // Reference pictures that gaps in frame_num stand for, where the sequence does not allow gaps.
  // Lost pictures that are no references leave no gap, and are not known.
  std::int64_t lost = 0;
  // Pictures that arrived before one that decoding can begin with: an I picture or a recovery
  // point, at the stream's beginning or after sequence parameters that changed.
  std::int64_t dropped = 0;
};

// Parses one stream. One thread at a time may call it. It never throws because of a stream's
// contents: the sink receives the faults.
class StreamParser {
 public:
  // `sink` must outlive the parser.
  explicit StreamParser(PictureSink& sink, const ParserOptions& options = {});
  ~StreamParser();
  StreamParser(StreamParser&&) noexcept;

  // Takes one NAL unit without start code or length field. `byte` is its offset in the stream,
  // `framing_bytes` the length of the start code or length field before it.
  void push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte = 0,
                     int framing_bytes = 4);
  // Ends the current picture, if there is one. For callers who know that the next slice is of
  // another picture; the sink then has this one before that slice arrives.
  void end_picture();
  // Notes that `count` NAL units were lost here (gaps in a packet stream); 0: some were.
  void note_loss(int count = 0);
  // Ends the stream: the last picture is decoded, all are output and released.
  void finish();

  // Returns the counts from the beginning of the stream on.
  MissingPictures missing() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_STREAM_PARSER_H_
