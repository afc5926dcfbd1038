// SPDX-License-Identifier: Apache-2.0

// The length that a clip's container states, compared with that of the file.
#ifndef MILLRACE_TOOLS_VIDEO_CONTAINER_CONTAINER_LENGTH_H_
#define MILLRACE_TOOLS_VIDEO_CONTAINER_CONTAINER_LENGTH_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::tools {

// Returns the bytes that the outermost structure of the file declares beyond its end: the boxes of
// MP4 and MOV (ISO/IEC 14496-12, 4.2), the segment of Matroska and WebM (RFC 8794, 6.2), the first
// RIFF chunk of AVI. 0 when nothing is missing and for containers that promise no length, such as
// an AVI whose recorder never came to write it.
std::int64_t missing_bytes(const std::string& path);

// The same for `size` bytes that begin with `start` and were read from a pipe, as far as `start`
// contains the length.
std::int64_t missing_bytes(std::string_view start, std::int64_t size);

// Returns "1 byte is missing", "2 bytes are missing" and so on.
std::string bytes_missing(std::int64_t count);

// Returns true for the first bytes of MP4 and MOV.
bool is_iso_media(std::string_view start);

struct Y4mLength {
  std::int64_t frames = 0;  // Number of complete frames.
  std::int64_t missing_bytes =
      0;  // Missing bytes of the frame that the file ends in; 0 if it ends between two.
};

// Walks the frame headers of a y4m file whose pictures are of `frame_bytes` each. A file that is
// not y4m, or one that cannot be walked (a pipe), has no frames.
Y4mLength y4m_length(const std::string& path, std::int64_t frame_bytes);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_CONTAINER_CONTAINER_LENGTH_H_
