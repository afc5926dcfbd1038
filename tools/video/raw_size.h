// Raw video has no header: its picture size is asked for or read from the file's name.
#ifndef MILLRACE_TOOLS_VIDEO_RAW_SIZE_H_
#define MILLRACE_TOOLS_VIDEO_RAW_SIZE_H_

#include <cstdint>
#include <optional>
#include <string>

namespace millrace::tools {

struct RawSize {
  int width = 0;
  int height = 0;

  // Bytes of one 8-bit 4:2:0 picture.
  std::int64_t frame_bytes() const;
};

// The last WIDTHxHEIGHT in the file's name (folders do not count), both of 1 to 5 digits and not
// zero, standing apart from letters and other digits: foreman_352x288_2f.yuv is 352x288.
std::optional<RawSize> raw_size_from_name(const std::string& path);

// Whether the name ends in .yuv, in either case.
bool has_raw_name(const std::string& path);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_RAW_SIZE_H_
