// SPDX-License-Identifier: Apache-2.0

// A name pattern for a sequence of pictures, one file each.
#ifndef MILLRACE_TOOLS_VIDEO_DECODER_IMAGE_PATTERN_H_
#define MILLRACE_TOOLS_VIDEO_DECODER_IMAGE_PATTERN_H_

#include <cstdint>
#include <string>

namespace millrace::tools {

// shot%d.png and shot%03d.png are files by their number, %% is a percent sign; other patterns are a
// shell's (shot*.png), in the order of names.
class ImagePattern {
 public:
  // Finds the files. Throws Error (kIo) if there are none, if numbers are missing between the first
  // and the last, and for a wrong pattern. The message starts with the pattern.
  explicit ImagePattern(const std::string& pattern);

  bool is_numbered() const { return is_numbered_; }

  // Returns the lowest number of a file.
  std::int64_t first_number() const { return first_number_; }

 private:
  void find_numbers(const std::string& pattern, std::size_t percent);

  bool is_numbered_ = false;
  std::int64_t first_number_ = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_DECODER_IMAGE_PATTERN_H_
