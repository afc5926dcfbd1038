// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/common/trace_file.h>

#include <millrace/runtime/timeline/timeline_json.h>

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

}  // namespace millrace::tools
