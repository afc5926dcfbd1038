// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/benchmarks/workloads/h264/coded_stream.h>
#include <millrace/tools/benchmarks/workloads/h264/made_streams.h>
#include <millrace/tools/benchmarks/workloads/h264/stream_work.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace millrace::tools {
namespace {

// Returns the settings of that name, or null.
const StreamSettings* settings_named(const std::string& name) {
  const auto& made = made_streams();
  const auto found = std::ranges::find(made, name, &StreamSettings::name);
  return found == made.end() ? nullptr : &*found;
}

struct ClipInputName {
  std::string clip;
  const StreamSettings* settings = nullptr;  // Null: the input is no CLIP:KIND.
};

ClipInputName clip_input_name(const std::string& input) {
  const std::size_t colon = input.rfind(':');
  if (colon == std::string::npos || colon == 0) return {};
  return {input.substr(0, colon), settings_named(input.substr(colon + 1))};
}

}  // namespace

bool is_clip_input(const std::string& input) { return clip_input_name(input).settings != nullptr; }

CodedStream coded_stream_of(const std::string& input, std::uint64_t pictures) {
  const auto count = static_cast<int>(pictures);
  if (const StreamSettings* const settings = settings_named(input)) {
    return {make_stream(*settings, count), static_cast<double>(settings->frames_per_second)};
  }
  if (const ClipInputName name = clip_input_name(input); name.settings != nullptr) {
    return {encode_clip(*name.settings, name.clip, count),
            static_cast<double>(name.settings->frames_per_second)};
  }
  std::ifstream file(input, std::ios::binary);
  CodedStream stream{{std::istreambuf_iterator<char>(file), {}}};
  const auto& bytes = stream.bytes;
  if (bytes.size() < 4 || bytes[0] != 0 || bytes[1] != 0 || bytes[2] > 1) {
    reject(input + " is no H.264 byte stream; write " + input +
           ":cif-300k-main to encode it as that input is, or take the stream out of a container: "
           "ffmpeg -i " +
           input + " -c:v copy -bsf:v h264_mp4toannexb OUT.264");
  }
  stream.frames_per_second = frame_rate_of(bytes);
  return stream;
}

}  // namespace millrace::tools
