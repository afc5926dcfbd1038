// SPDX-License-Identifier: Apache-2.0

// The sample format of raw video, which has no header: given by the user, or by the file's name.
#ifndef MILLRACE_TOOLS_VIDEO_RAW_RAW_FORMAT_H_
#define MILLRACE_TOOLS_VIDEO_RAW_RAW_FORMAT_H_

#include <millrace/tools/video/raw/raw_size.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace millrace::tools {

// A sample format by FFmpeg's name, such as yuv420p10le.
struct RawFormat {
  std::string name = "yuv420p";
  bool swaps_chroma = false;  // Cr is before Cb, as in YV12.

  // Returns the bytes of a picture without padding. Throws Error (kInvalidArgument) for a size that
  // is too large.
  std::int64_t frame_bytes(const RawSize& size) const;
};

// Knows all of FFmpeg's names of samples in memory, in either case, with and without the byte order
// (yuv422p10), and the usual others: i420, yv12, i422, i444, yuy2, y8, y16 and so on. Nothing for
// other names, and for formats with a palette or in a GPU's memory.
std::optional<RawFormat> raw_format_of(std::string_view name);

// Reads the format from the words of the file's name (folders do not count): raw_format_of() of a
// word or of the extension, or a chroma format (420, 422p, 444, gray) and a depth (10bit, 10le,
// p10), such as in city_352x288_422_10bit.yuv. Nothing where the name says none. Throws Error
// (kInvalidArgument) where it says two, or one that is not read.
std::optional<RawFormat> raw_format_from_name(const std::string& path);

// Returns true if the extension is that of raw video: .yuv in either case, or a format's name.
bool has_raw_name(const std::string& path);

// Returns the format of deeper samples that the first bytes of a file resemble, although it was
// taken for 8-bit 4:2:0; "" if there is none. Finds only formats that 8-bit samples never resemble.
std::string deeper_format(std::string_view start);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_RAW_RAW_FORMAT_H_
