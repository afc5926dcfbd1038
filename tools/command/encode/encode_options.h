// SPDX-License-Identifier: Apache-2.0

// The options of `millrace encode`.
#ifndef MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_OPTIONS_H_
#define MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_OPTIONS_H_

#include <millrace/algorithms/h264/encoder/settings/encoder_options.h>
#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/common/command_line.h>
#include <millrace/tools/command/common/common_options.h>

#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

struct EncodeOptions {
  CommonOptions common;
  ClipOptions clip;
  std::string device;              // Empty: default_device().
  std::vector<std::string> clips;  // Paths as given; `clip.path` is one of them.
  std::string out;                 // A file, or a folder.
  std::string folder;              // Made once the clip is open; empty: none.
  std::string container;           // Extension of files of a folder; empty: mp4.
  std::string reconstruction;      // Empty: none.
  bool has_paper_preset = false;

  // As given; those that are not are the preset's, or the encoder's own.
  std::optional<int> qp, quality, kbit_per_second, gop, range, references, slices;
  std::optional<h264::EncoderProfile> profile;
  std::optional<h264::EncoderSearch> search;
  std::optional<h264::ModeDecision> decision;
  std::optional<h264::DeviceWork> device_work;
  std::optional<Policy> policy;

  // Returns the encoder's options, but for what the clip determines. Throws Error
  // (kInvalidArgument) where several say how QPs are chosen.
  h264::EncoderOptions encoder() const;
};

// Adds the options to the subcommand. `options` must outlive it.
void add_encode_options(Command& command, EncodeOptions& options);

// Return the options' own words.
const char* to_string(h264::EncoderProfile profile);
const char* to_string(h264::EncoderSearch search);
const char* to_string(h264::ModeDecision decision);
const char* to_string(h264::EncoderRate rate);
const char* to_string(h264::DeviceWork work);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_OPTIONS_H_
