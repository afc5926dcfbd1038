// SPDX-License-Identifier: Apache-2.0

// The picture size of raw video, which has no header: given by the user, or by the file's name.
#ifndef MILLRACE_TOOLS_VIDEO_RAW_RAW_SIZE_H_
#define MILLRACE_TOOLS_VIDEO_RAW_RAW_SIZE_H_

#include <optional>
#include <string>

namespace millrace::tools {

struct RawSize {
  int width = 0;
  int height = 0;
};

// Returns the last WIDTHxHEIGHT in the file's name (folders do not count), both of 1 to 5 digits
// and not zero, separated from letters and other digits: foreman_352x288_2f.yuv is 352x288.
std::optional<RawSize> raw_size_from_name(const std::string& path);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_RAW_RAW_SIZE_H_
