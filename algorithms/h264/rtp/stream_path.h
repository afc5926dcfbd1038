// SPDX-License-Identifier: Apache-2.0

// Names of streams in captures: FILE#ADDRESS:PORT/SSRC.
#ifndef MILLRACE_ALGORITHMS_H264_RTP_STREAM_PATH_H_
#define MILLRACE_ALGORITHMS_H264_RTP_STREAM_PATH_H_

#include <millrace/algorithms/h264/rtp/capture_streams.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace millrace::h264 {

struct StreamPath {
  std::string file;
  std::string stream;  // RtpStream::name(); empty: the whole file.

  std::string text() const { return stream.empty() ? file : file + "#" + stream; }
};

// Divides FILE#STREAM, where `is_file` is false for the whole and true for FILE.
StreamPath split_stream_path(const std::string& path,
                             const std::function<bool(const std::string&)>& is_file);

// Returns "a.pcap#10.0.0.1:5004/0x00000001, ...", each name once, and no more than a screen of
// them.
std::string stream_names(const std::string& file, const std::vector<RtpStream>& streams);

// Returns the index of the stream that the path names. Throws Error(kInvalidArgument) if no
// stream has the name, listing those there are, or if streams of several senders have it.
std::size_t find_stream(const std::vector<RtpStream>& streams, const StreamPath& path);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RTP_STREAM_PATH_H_
