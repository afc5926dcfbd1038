// SPDX-License-Identifier: Apache-2.0

// Opens whatever has H.264 streams: a byte stream, a container or a capture.
#ifndef MILLRACE_TOOLS_VIDEO_H264_H264_INPUT_H_
#define MILLRACE_TOOLS_VIDEO_H264_H264_INPUT_H_

#include <millrace/algorithms/h264/nal_unit_receiver.h>
#include <millrace/algorithms/h264/rtp/session_description.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/h264/byte_stream_source.h>
#include <millrace/tools/video/h264/capture_file.h>
#include <millrace/tools/video/h264/stream_kind.h>

#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

struct H264InputOptions {
  Following following = Following::kNone;  // Byte streams only; others cannot be followed.
  std::vector<h264::DescribedStream> described = {};  // Streams of captures.
};

// One of the two is set.
struct H264Input {
  std::unique_ptr<h264::NalUnitSource> source;
  std::shared_ptr<const CaptureFile> capture;  // Has one stream at least.
};

// The error of a file of a known kind that is no video, such as text or a program.
class NoVideo final : public Error {
 public:
  using Error::Error;
};

// Opens a file or a pipe; "-" is standard input. FILE#STREAM, where there is no file of that name,
// is the stream of a capture that has this RtpStream::name(). Throws Error: kIo if it cannot be
// read, is empty, or has no H.264, saying what it is instead (NoVideo for no video);
// kInvalidArgument for a name that no stream of the capture has, or several; kCancelled after a
// signal.
H264Input open_h264(const std::string& path, const H264InputOptions& options);

// Opens the H.264 stream of a file or pipe, named as above. Throws what open_h264() throws, and
// Error (kInvalidArgument) with all names for a capture of several streams.
std::unique_ptr<h264::NalUnitSource> open_one_stream(const std::string& path,
                                                     const H264InputOptions& options = {});

// Returns the file that open_h264() opens: FILE of FILE#STREAM, else the path.
std::string file_of_stream(const std::string& path);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_H264_H264_INPUT_H_
