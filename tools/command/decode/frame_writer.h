// SPDX-License-Identifier: Apache-2.0

// Writes decoded frames to a y4m file.
#ifndef MILLRACE_TOOLS_COMMAND_DECODE_FRAME_WRITER_H_
#define MILLRACE_TOOLS_COMMAND_DECODE_FRAME_WRITER_H_

#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

#include <cstdint>
#include <optional>
#include <ostream>

namespace millrace::tools {

class FrameWriter {
 public:
  // `out` must outlive the object.
  explicit FrameWriter(std::ostream& out) : out_(out) {}

  // Writes the area of the frame that is shown. The first frame gives the size, the rate and the
  // aspect. Throws Error (kUnsupported) for a later one of another size, which y4m cannot have, and
  // what Y4mWriter throws.
  void write(const h264::DecodedFrame& frame);

  std::int64_t frames() const { return writer_ ? writer_->frames() : 0; }
  int width() const { return picture_.width(); }
  int height() const { return picture_.height(); }

 private:
  void open(const h264::DecodedFrame& frame);

  std::ostream& out_;
  Picture picture_;
  std::optional<Y4mWriter> writer_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_DECODE_FRAME_WRITER_H_
