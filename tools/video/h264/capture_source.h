// SPDX-License-Identifier: Apache-2.0

// NAL units of one RTP stream in a capture file.
#ifndef MILLRACE_TOOLS_VIDEO_H264_CAPTURE_SOURCE_H_
#define MILLRACE_TOOLS_VIDEO_H264_CAPTURE_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <millrace/tools/files/input/placed_file.h>
#include <millrace/tools/video/h264/nal_unit_receiver.h>
#include <millrace/tools/video/rtp/capture_streams.h>

namespace millrace::tools {

// A capture, whose streams may be read by several threads at once.
class CaptureFile {
 public:
  // Finds the streams, as find_streams(). A pipe is kept in a temporary file. Throws what
  // find_streams() and PlacedFile::open() throw.
  CaptureFile(const std::string& path, const std::vector<DescribedStream>& described);

  const PlacedFile& file() const { return file_; }
  const CaptureStreams& found() const { return found_; }

 private:
  PlacedFile file_;
  CaptureStreams found_;
};

// Returns the NAL units of stream `index` of the capture.
std::unique_ptr<NalUnitSource> open_capture_stream(std::shared_ptr<const CaptureFile> capture,
                                                   std::size_t index);

// Returns a reader of `file`, which must outlive it.
ReadAt reader_of(const PlacedFile& file);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_H264_CAPTURE_SOURCE_H_
