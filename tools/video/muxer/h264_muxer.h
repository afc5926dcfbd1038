// SPDX-License-Identifier: Apache-2.0

// Writes an H.264 stream to a container by FFmpeg's muxers.
//
//   OutputFile file("out.mp4", force);
//   H264Muxer muxer(file, {.container = Container::kMp4, .width = 1920, .height = 1080});
//   muxer.write(access_unit, is_idr);
//   muxer.finish();
//   file.commit();
#ifndef MILLRACE_TOOLS_VIDEO_MUXER_H264_MUXER_H_
#define MILLRACE_TOOLS_VIDEO_MUXER_H264_MUXER_H_

#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/video/picture/clip_format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace millrace::tools {

enum class Container { kMp4, kMatroska };

struct H264MuxerFormat {
  Container container = Container::kMp4;
  int width = 0;  // Size of the pictures, cropped.
  int height = 0;
  FrameRate rate = {};
  // Clock of the pictures' times; none: each picture is a frame of the rate long.
  std::optional<TimeBase> time_base = {};
  SampleAspect aspect = {};
  bool full_range = false;
};

// Pictures are in output order. Their times are exact in MP4, to the microsecond where the clock is
// finer, and rounded to milliseconds in Matroska; rates are kept as the rate alone. A file that is
// written directly, such as a pipe, gets a container that needs no seeking: MP4 in fragments. Used
// by one thread at a time.
class H264Muxer {
 public:
  // Throws Error (kUnsupported) where the linked libavformat has no such muxer. `file` must outlive
  // this object.
  H264Muxer(OutputFile& file, const H264MuxerFormat& format);
  ~H264Muxer();
  H264Muxer(const H264Muxer&) = delete;
  H264Muxer& operator=(const H264Muxer&) = delete;

  // Writes an access unit in Annex B's format. The first one has parameter sets. Times, which count
  // where the format has a time base alone, rise from 0 or later; a picture is shown until the next
  // one is, the last one for its duration. Throws Error (kIo) where the file cannot be written,
  // kInternal where the muxer fails otherwise.
  void write(std::span<const std::uint8_t> access_unit, bool is_key, const PictureTime& time = {});

  // Writes what follows the last access unit. Throws as write() does.
  void finish();

 private:
  struct State;

  std::unique_ptr<State> state_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_MUXER_H264_MUXER_H_
