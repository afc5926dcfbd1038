// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/decode/frame_writer.h>
#include <millrace/tools/video/h264/decoded_picture.h>

#include <string>

namespace millrace::tools {

void FrameWriter::write(const h264::DecodedFrame& frame) {
  if (!writer_) open(frame);
  const int width = frame.width(0);
  const int height = frame.height(0);
  if (width != picture_.width() || height != picture_.height()) {
    throw Error(ErrorCode::kUnsupported,
                "frame " + std::to_string(frames()) + " is " + std::to_string(width) + "x" +
                    std::to_string(height) + ", the frames before it " +
                    std::to_string(picture_.width()) + "x" + std::to_string(picture_.height()) +
                    "; a y4m file has one size: stop before it by --frames " +
                    std::to_string(frames()));
  }
  copy_frame(frame, picture_);
  writer_->write(picture_);
}

void FrameWriter::open(const h264::DecodedFrame& frame) {
  picture_.resize(frame.width(0), frame.height(0));
  writer_.emplace(out_, y4m_format_of(*frame.sequence));
}

}  // namespace millrace::tools
