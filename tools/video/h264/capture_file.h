// SPDX-License-Identifier: Apache-2.0

// NAL units of one RTP stream in a capture file.
#ifndef MILLRACE_TOOLS_VIDEO_H264_CAPTURE_FILE_H_
#define MILLRACE_TOOLS_VIDEO_H264_CAPTURE_FILE_H_

#include <millrace/algorithms/h264/nal_unit_receiver.h>
#include <millrace/algorithms/h264/rtp/capture_streams.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/video/decoder/clip_input.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace millrace::tools {

// A capture, whose streams may be read by several threads at once.
class CaptureFile {
 public:
  // Finds the streams, as find_streams(). A pipe is kept in a temporary file. Throws what
  // find_streams() and the members of ClipInput and PositionedFile throw.
  CaptureFile(ClipInput& input, const std::vector<h264::DescribedStream>& described);
  CaptureFile(const CaptureFile&) = delete;
  CaptureFile& operator=(const CaptureFile&) = delete;

  const h264::CaptureStreams& found() const { return found_; }

  // Has the contract of ReadAt.
  std::size_t read(std::uint64_t position, std::span<std::uint8_t> bytes) const;

 private:
  PositionedFile file_;
  std::uint64_t bytes_;
  h264::CaptureStreams found_;
};

// Returns the NAL units of stream `index` of the capture.
std::unique_ptr<h264::NalUnitSource> open_capture_stream(std::shared_ptr<const CaptureFile> capture,
                                                         std::size_t index);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_H264_CAPTURE_FILE_H_
