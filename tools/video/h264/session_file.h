// SPDX-License-Identifier: Apache-2.0

// Session descriptions in files.
#ifndef MILLRACE_TOOLS_VIDEO_H264_SESSION_FILE_H_
#define MILLRACE_TOOLS_VIDEO_H264_SESSION_FILE_H_

#include <millrace/algorithms/h264/rtp/session_description.h>

#include <string>
#include <vector>

namespace millrace::tools {

// Returns the streams of the description in a file; none if `path` is empty. Throws as
// h264::read_session_description() and PositionedFile::open() do.
std::vector<h264::DescribedStream> read_session_file(const std::string& path);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_H264_SESSION_FILE_H_
