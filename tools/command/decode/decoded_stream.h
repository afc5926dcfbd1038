// SPDX-License-Identifier: Apache-2.0

// The result of decoding a stream, for reports.
#ifndef MILLRACE_TOOLS_COMMAND_DECODE_DECODED_STREAM_H_
#define MILLRACE_TOOLS_COMMAND_DECODE_DECODED_STREAM_H_

#include <millrace/algorithms/h264/stream/decoder.h>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace millrace::tools {

struct DecodedStream {
  std::string stream;
  std::string output;
  int width = 0;
  int height = 0;
  std::int64_t frames = 0;                   // Frames that are written.
  h264::DecodingStatistics statistics = {};  // But `missing_references`, which only a Decoder has.
  std::int64_t lost_packets = 0;
  std::string notes;
};

nlohmann::json to_json(const DecodedStream& decoded);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_DECODE_DECODED_STREAM_H_
