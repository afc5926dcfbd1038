// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/timeline/internal/timeline_json.h>
#include <millrace/tools/command/common/files/report_files.h>

namespace millrace::tools {

TraceFile::TraceFile(const CommonOptions& options) {
  if (options.trace_path.empty()) return;
  file_.emplace(options.trace_path, options.force);
  recording_.emplace(timeline_);
}

OutputFile* TraceFile::finish() {
  if (!file_) return nullptr;
  recording_.reset();
  write_chrome_trace(timeline_, file_->stream());
  return &*file_;
}

ReportFiles::ReportFiles(const CommonOptions& options) : options_(options), trace_file_(options) {
  if (options.json_path.empty()) return;
  if (options.json_to_stdout()) {
    check_json_path(options);
  } else {
    json_file_.emplace(options.json_path, options.force);
  }
}

void ReportFiles::commit(std::vector<OutputFile*> files, const nlohmann::json& json) {
  if (json_file_) {
    json_file_->stream() << json_text(json);
    files.push_back(&*json_file_);
  }
  if (OutputFile* const trace = trace_file_.finish()) files.push_back(trace);
  commit_all(files);
  if (options_.json_to_stdout()) write_json(options_, json);
}

}  // namespace millrace::tools
