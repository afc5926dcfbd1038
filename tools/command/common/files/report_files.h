// SPDX-License-Identifier: Apache-2.0

// The files of --json and --trace, beside a run's own.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_FILES_REPORT_FILES_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_FILES_REPORT_FILES_H_

#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/files/output/output_file.h>

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace millrace::tools {

// The timeline of a run, recorded from the construction to finish(). Does nothing without --trace.
class TraceFile {
 public:
  // Throws Error (kIo) if the file could not be written.
  explicit TraceFile(const CommonOptions& options);

  // Ends the recording and writes it. Returns the file, to be committed; null without --trace.
  OutputFile* finish();

 private:
  std::optional<OutputFile> file_;
  Timeline timeline_;
  std::optional<Timeline::Recording> recording_;
};

class ReportFiles {
 public:
  // Throws Error (kIo) if one of them could not be written. `options` must outlive this object.
  explicit ReportFiles(const CommonOptions& options);

  // Puts a run's files and these in place: all of them complete, or none. If standard output is to
  // have `json`, it is written last. Throws Error (kIo).
  void commit(std::vector<OutputFile*> files, const nlohmann::json& json);

 private:
  const CommonOptions& options_;
  TraceFile trace_file_;
  std::optional<OutputFile> json_file_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_FILES_REPORT_FILES_H_
