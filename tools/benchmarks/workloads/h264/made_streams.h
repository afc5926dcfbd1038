// SPDX-License-Identifier: Apache-2.0

// H.264 streams that are made for measurements: moving textures or a clip, encoded by libx264.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_MADE_STREAMS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_MADE_STREAMS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

struct StreamSettings {
  std::string name;  // "cif-cavlc"
  int width = 0, height = 0;
  int frames_per_second = 25;
  int bits_per_second = 0;
  const char* profile = "main";  // Of libx264; "baseline" is constrained baseline.
  bool is_cabac = true;
};

// 1080p at 12 Mbit/s and CIF at 1.5 Mbit/s by CAVLC and by CABAC; and streams of mobile networks:
// CIF of 25 frames/s at 300 kbit/s and QCIF of 15 frames/s at 64 kbit/s.
const std::vector<StreamSettings>& made_streams();

// Returns an Annex B byte stream of the rate of the settings, within a tenth from ten
// pictures on, the same in each call. Throws kUnsupported where the linked libavcodec has no
// libx264.
std::vector<std::uint8_t> make_stream(const StreamSettings& settings, int pictures);

// Returns the stream of the first `pictures` pictures of a clip, or of all that it has, at the rate
// and size of the settings. A larger clip is cropped to its centre, where each sample becomes the
// mean of a square of as many whole samples as fit; of another rate, pictures are left out or
// repeated. Throws kInvalidArgument for a clip that is smaller, and what VideoReader throws.
std::vector<std::uint8_t> encode_clip(const StreamSettings& settings, const std::string& clip,
                                      int pictures);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_MADE_STREAMS_H_
