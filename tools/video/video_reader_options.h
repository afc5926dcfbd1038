// SPDX-License-Identifier: Apache-2.0

// Options of a VideoReader.
#ifndef MILLRACE_TOOLS_VIDEO_VIDEO_READER_OPTIONS_H_
#define MILLRACE_TOOLS_VIDEO_VIDEO_READER_OPTIONS_H_

#include <string>

namespace millrace::tools {

struct VideoReaderOptions {
  // Size of the pictures of raw video. When given, the file is read as raw video. When not, a file
  // whose ending is that of raw video is raw, and its size is the WIDTHxHEIGHT in its name.
  int width = 0;
  int height = 0;

  // Sample format of raw video, as raw_format_of() takes it. When given, the file is read as raw
  // video. When empty, it is the format that the file's name says, or else 8-bit 4:2:0.
  std::string pixel_format = {};

  // The path stands for the names of several pictures, as ImagePattern takes it.
  bool is_pattern = false;

  // Threads that decode, at most; 0: as many as the process may use cores. With 1 it is the
  // caller's alone. Pictures, errors and notes do not depend on it.
  int threads = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_VIDEO_READER_OPTIONS_H_
