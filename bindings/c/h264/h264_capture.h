// SPDX-License-Identifier: Apache-2.0

// A capture file with H.264 over RTP, whose streams are read independently.
#ifndef MILLRACE_BINDINGS_C_H264_H264_CAPTURE_H_
#define MILLRACE_BINDINGS_C_H264_H264_CAPTURE_H_

#include <millrace/algorithms/h264/nal_unit_receiver.h>
#include <millrace/algorithms/h264/rtp/capture_streams.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace millrace::c {

// The object of a millrace_h264_capture. All members may be called from any thread.
class H264Capture {
 public:
  // Opens a capture, or FILE#STREAM for one stream of it. `session` is the path of a session
  // description; empty: none. Throws kIo, kInvalidArgument for a stream that is not there, and what
  // h264::find_streams() and h264::read_session_description() throw.
  H264Capture(const std::string& path, const std::string& session);

  std::size_t size() const { return streams_.size(); }
  // Throws kInvalidArgument for an index that is too large.
  const h264::RtpStream& stream(std::size_t index) const;
  // Returns FILE#STREAM.
  std::string name(std::size_t index) const { return file_name_ + "#" + stream(index).name(); }

  // Returns the NAL units of a stream, which keep the capture open.
  static std::unique_ptr<h264::NalUnitSource> open_stream(
      const std::shared_ptr<const H264Capture>& capture, std::size_t index);

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  // Has the contract of h264::ReadAt.
  std::size_t read(std::uint64_t position, std::span<std::uint8_t> bytes) const;

  std::string file_name_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::vector<h264::RtpStream> streams_;
};

// Returns true if `path` is a capture, or FILE#STREAM of one. A file that cannot be read, and a
// pipe, which is left as it is, are none.
bool is_h264_capture(const std::string& path);

}  // namespace millrace::c

#endif  // MILLRACE_BINDINGS_C_H264_H264_CAPTURE_H_
