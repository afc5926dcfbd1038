// SPDX-License-Identifier: Apache-2.0

// Options of `millrace idct`, and the queue that they choose.
#ifndef MILLRACE_TOOLS_COMMAND_IDCT_IDCT_OPTIONS_H_
#define MILLRACE_TOOLS_COMMAND_IDCT_IDCT_OPTIONS_H_

#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/common/command_line.h>
#include <millrace/tools/command/common/common_options.h>

#include <optional>
#include <string>

namespace millrace::tools {

inline constexpr char kStreamQueue[] = "stream";
inline constexpr char kRequantisedQueue[] = "requantised";

struct IdctCommandOptions {
  CommonOptions common;
  ClipOptions clip;
  std::string queue;      // kStreamQueue or kRequantisedQueue; empty: chosen by the clip.
  std::optional<int> qp;  // QP of a requantised queue.
  std::string out_dir = ".";

  static constexpr int kDefaultQp = 28;

  // Returns the path of an output file: NAME-idct.KIND in the folder.
  std::string output_path(const std::string& kind) const;
};

// Adds them to the subcommand. `options` must outlive it.
void add_idct_options(Command& command, IdctCommandOptions& options);

struct QueueChoice {
  bool is_stream = false;
  std::string note = {};  // Why an H.264 stream's own queue was not chosen; "" otherwise.
};

// Chooses the queue for so many ranks. Where --queue is not given, it is the stream's own if the
// clip is a file with H.264 that the parser supports, and nothing says otherwise: several ranks,
// --qp, or options of raw video and patterns. Throws Error where --queue stream is given and there
// is no such queue: kInvalidArgument for the other options, kUnsupported with the tool or codec by
// name for the clip, kIo if it cannot be read.
QueueChoice choose_queue(const IdctCommandOptions& options, int ranks);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_IDCT_IDCT_OPTIONS_H_
