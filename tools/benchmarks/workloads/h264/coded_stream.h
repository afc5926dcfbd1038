// SPDX-License-Identifier: Apache-2.0

// The H.264 stream of an input's name: made, made from a clip, or a file.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_CODED_STREAM_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_CODED_STREAM_H_

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

// A byte stream and what is known of it.
struct CodedStream {
  std::vector<std::uint8_t> bytes;
  double frames_per_second = 0;  // 0: not known.
};

// The rule of inputs that name a clip, as Workload::input_rule.
inline constexpr char kClipRule[] =
    "CLIP:KIND, which encodes a video file as an input of that name, such as "
    "flower.y4m:cif-300k-main";

// Returns true for "CLIP:KIND" with the name of one of made_streams() as KIND.
bool is_clip_input(const std::string& input);

// Returns the stream of `input`: one of made_streams(), of `pictures` pictures; CLIP:KIND, of as
// many or of all that the clip has; or an Annex B byte stream in a file. Throws kInvalidArgument
// for another file, what VideoReader throws, and kUnsupported where the linked libavcodec has no
// libx264.
CodedStream coded_stream_of(const std::string& input, std::uint64_t pictures);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_CODED_STREAM_H_
