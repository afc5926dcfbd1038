// SPDX-License-Identifier: Apache-2.0

// Receives the pictures of a parsed H.264 stream as they are coded, their order, and faults.
#ifndef MILLRACE_ALGORITHMS_H264_PICTURE_SINK_H_
#define MILLRACE_ALGORITHMS_H264_PICTURE_SINK_H_

#include <millrace/algorithms/h264/parsed_picture.h>

#include <cstdint>
#include <memory>
#include <string>

namespace millrace::h264 {

// A fault in a stream, or a tool of the standard that the parser does not support.
struct StreamFault {
  std::string message;          // Ends with what to do about it, if there is something.
  std::int64_t nal_unit = 0;    // Counted from 0.
  std::int64_t byte = 0;        // In the stream; in the NAL unit if the unit's offset is not known.
  std::int64_t picture = 0;     // ParsedPicture::id of the current picture.
  bool is_unsupported = false;  // The stream is valid, but needs unsupported tools.
  bool has_primary_pictures =
      false;  // Unsupported layers or views beside pictures that are parsed.
};

// Receives what a StreamParser finds. Its functions are called by the thread that pushes.
class PictureSink {
 public:
  virtual ~PictureSink() = default;

  // Called for each picture in decoding order. The references of its slices are valid during this
  // call; the parser itself keeps a picture as long as others may refer to it.
  virtual void decode(const std::shared_ptr<const ParsedPicture>& picture) = 0;
  // Called when the picture is the next in output order (clause C.4.5.3). `picture` is a
  // ParsedPicture::id.
  virtual void output(std::int64_t picture) { static_cast<void>(picture); }
  // Called when no later picture refers to it, and after its output if it is output.
  virtual void release(std::int64_t picture) { static_cast<void>(picture); }
  // Called for each fault. The parser continues at the next slice or picture.
  virtual void fault(const StreamFault& fault) = 0;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PICTURE_SINK_H_
