// SPDX-License-Identifier: Apache-2.0

// Parses an H.264 stream: NAL units in, parsed pictures out, no sample reconstructed.
//
//   StreamParser parser(sink);
//   parser.push_nal_unit(bytes);  // For each NAL unit, in order.
//   parser.finish();
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_PARSER_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_PARSER_H_

#include <millrace/algorithms/h264/parsed_picture.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace millrace::h264 {

// A fault of a stream, or a tool of the standard that this parser does not do.
struct StreamFault {
  std::string message;          // Ends with what to do where there is something.
  std::int64_t nal_unit = 0;    // Counted from 0.
  std::int64_t byte = 0;        // Of the stream; of the NAL unit where its place is not known.
  std::int64_t picture = 0;     // ParsedPicture::id of the current picture.
  bool is_unsupported = false;  // The stream is sound, but not of the supported tools.
  bool has_primary_pictures =
      false;  // Unsupported layers or views beside pictures that are parsed.
};

// Receives what a StreamParser finds. Its functions are called by the thread that pushes.
class PictureSink {
 public:
  virtual ~PictureSink() = default;

  // Takes a picture in decoding order. Its slices' references stay valid during this call; the
  // parser itself keeps a picture as long as others may refer to it.
  virtual void decode(const std::shared_ptr<const ParsedPicture>& picture) = 0;
  // The picture is the next in output order (clause C.4.5.3).
  virtual void output(std::int64_t picture) { static_cast<void>(picture); }
  // No picture will refer to it, and it has been output if it is to be.
  virtual void release(std::int64_t picture) { static_cast<void>(picture); }
  // The parser goes on at the next slice or picture.
  virtual void fault(const StreamFault& fault) = 0;
};

struct ParserOptions {
  bool wants_coefficients = true;
};

// One stream's parser. One thread at a time may call it. It never throws for what a stream says.
class StreamParser {
 public:
  // `sink` must outlive the parser.
  explicit StreamParser(PictureSink& sink, const ParserOptions& options = {});
  ~StreamParser();
  StreamParser(StreamParser&&) noexcept;

  // Takes one NAL unit without start code or length field. `byte` is its place in the stream,
  // `framing_bytes` the length of what stood before it.
  void push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte = 0,
                     int framing_bytes = 4);
  // Notes that `count` NAL units were lost here (gaps in a packet stream); 0: some were.
  void note_loss(int count = 0);
  // Ends the stream: the last picture is decoded, all are output and released.
  void finish();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_PARSER_H_
