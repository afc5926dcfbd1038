// SPDX-License-Identifier: Apache-2.0

// Kinds of files with H.264 streams, by content and never by name.
#ifndef MILLRACE_TOOLS_VIDEO_H264_STREAM_KIND_H_
#define MILLRACE_TOOLS_VIDEO_H264_STREAM_KIND_H_

#include <string_view>

namespace millrace::tools {

enum class StreamKind {
  kByteStream,  // ITU-T H.264, Annex B.
  kCapture,     // pcap or pcapng.
  kContainer,   // Anything else: a container that FFmpeg may know.
};

// Returns the kind of a file that begins with these bytes, the first 4 KiB or all of them.
StreamKind stream_kind(std::string_view head);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_H264_STREAM_KIND_H_
