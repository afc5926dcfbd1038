// SPDX-License-Identifier: Apache-2.0

// Receives the pictures of a parsed H.264 stream as they are coded, their order, and faults.
#ifndef MILLRACE_ALGORITHMS_H264_PICTURE_SINK_H_
#define MILLRACE_ALGORITHMS_H264_PICTURE_SINK_H_

#include <millrace/algorithms/h264/parsed_picture.h>

#include <cstdint>
#include <memory>
#include <string>

namespace millrace::h264 {

// A fault of a stream, or a tool of the standard that this parser does not do.
struct StreamFault {
  std::string message;          // Ends with what to do where there is something.
  std::int64_t nal_unit = 0;    // Counted from 0.
  std::int64_t byte = 0;        // In the stream; in the NAL unit where its offset is not known.
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

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PICTURE_SINK_H_
