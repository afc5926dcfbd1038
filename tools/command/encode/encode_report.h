// SPDX-License-Identifier: Apache-2.0

// The report of an encode, for people and as JSON.
#ifndef MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_REPORT_H_
#define MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_REPORT_H_

#include <millrace/algorithms/h264/encoder/settings/encoder_options.h>
#include <millrace/tools/command/encode/encode_options.h>
#include <millrace/tools/video/encoding/encoding_summary.h>
#include <millrace/tools/video/video_reader.h>

#include <nlohmann/json.hpp>

#include <string>

namespace millrace::tools {

struct EncodeResult {
  h264::EncoderOptions encoder;
  std::string device;
  std::string fallback;  // Says why the device does less than requested; empty if it does not.
  EncodingSummary summary;
  double seconds = 0;  // Time from the first picture read to the last one written.

  double frames_per_second() const;
};

// Figures of infinite PSNR are null.
nlohmann::json to_json(const EncodeOptions& options, const VideoReader& clip,
                       const EncodeResult& result);

void print_report(const EncodeOptions& options, const VideoReader& clip,
                  const EncodeResult& result);

// Prints one line, of one of several clips.
void print_report_line(const EncodeOptions& options, const VideoReader& clip,
                       const EncodeResult& result);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_REPORT_H_
