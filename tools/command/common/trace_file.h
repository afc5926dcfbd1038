// SPDX-License-Identifier: Apache-2.0

// What --trace asks for: a timeline of the run in a file.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_TRACE_FILE_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_TRACE_FILE_H_

#include <optional>

#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/files/output/output_file.h>

namespace millrace::tools {

// Records from its making to finish(). Without --trace it does nothing.
class TraceFile {
 public:
  // Throws Error (kIo) if the file could not be written.
  explicit TraceFile(const CommonOptions& options);

  // Ends the recording and writes it. The file, to be committed; null without --trace.
  OutputFile* finish();

 private:
  std::optional<OutputFile> file_;
  Timeline timeline_;
  std::optional<Timeline::Recording> recording_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_TRACE_FILE_H_
