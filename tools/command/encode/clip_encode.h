// SPDX-License-Identifier: Apache-2.0

// The encode of one clip into its files.
#ifndef MILLRACE_TOOLS_COMMAND_ENCODE_CLIP_ENCODE_H_
#define MILLRACE_TOOLS_COMMAND_ENCODE_CLIP_ENCODE_H_

#include <millrace/algorithms/h264/encoder/settings/encoder_options.h>
#include <millrace/runtime/core/device.h>
#include <millrace/tools/command/encode/encode_options.h>
#include <millrace/tools/command/encode/encode_outputs.h>
#include <millrace/tools/command/encode/encode_report.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/video/video_reader.h>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>

namespace millrace::tools {

class ClipEncode {
 public:
  // Opens the clip and the files. Throws Error for options, a clip or names that are wrong. All
  // arguments must outlive this object.
  ClipEncode(const EncodeOptions& options, std::shared_ptr<Device> device,
             const InterruptGuard& interrupt);

  // Encodes the clip to its end, or after a signal to the end of a group. Returns the number of
  // frames that are complete. Throws Error where the clip cannot be read on or files be written.
  std::int64_t encode(bool shows_progress);

  nlohmann::json json() const { return to_json(options_, clip_, result_); }

  // Puts the files in place, and says on standard error what was converted. Throws Error (kIo).
  void commit();

  void print() const { print_report(options_, clip_, result_); }
  void print_line() const { print_report_line(options_, clip_, result_); }

 private:
  void write_notes() const;

  const EncodeOptions& options_;
  const InterruptGuard& interrupt_;
  const std::shared_ptr<Device> device_;
  VideoReader clip_;
  const h264::EncoderOptions encoder_;  // Checked.
  EncodeOutputs outputs_;
  EncodeResult result_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ENCODE_CLIP_ENCODE_H_
