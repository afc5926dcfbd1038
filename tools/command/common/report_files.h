// SPDX-License-Identifier: Apache-2.0

// The files that --json and --trace ask for, beside a run's own.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_REPORT_FILES_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_REPORT_FILES_H_

#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/trace_file.h>
#include <millrace/tools/files/output/output_file.h>

namespace millrace::tools {

class ReportFiles {
 public:
  // Throws Error (kIo) if one of them could not be written. `options` must outlive this object.
  explicit ReportFiles(const CommonOptions& options);

  // Puts a run's files and these in place: all of them complete, or none. Where standard output is
  // to have `json`, it gets it last. Throws Error (kIo).
  void commit(std::vector<OutputFile*> files, const nlohmann::json& json);

 private:
  const CommonOptions& options_;
  TraceFile trace_file_;
  std::optional<OutputFile> json_file_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_REPORT_FILES_H_
