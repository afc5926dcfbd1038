// SPDX-License-Identifier: Apache-2.0

// The files of a report, which appear together or not at all.
#ifndef MILLRACE_TOOLS_COMMAND_REPORT_REPORT_OUTPUTS_H_
#define MILLRACE_TOOLS_COMMAND_REPORT_REPORT_OUTPUTS_H_

#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/report/page/document.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace millrace::tools {

// Used by one thread at a time. Throws what OutputFile throws.
class ReportOutputs {
 public:
  // Files that exist are replaced if `force` is true.
  explicit ReportOutputs(bool force) : force_(force) {}

  // Begins a file; the stream is valid until commit().
  std::ostream& add(const std::string& path);

  // Adds a whole file and closes it: there may be more files than a process may have open.
  void add(const std::string& path, const std::string& text);

  // Adds the document as Markdown, and its charts as files beside it.
  void add_markdown(const std::string& path, const Document& document);

  void commit();

 private:
  bool force_;
  std::vector<std::unique_ptr<OutputFile>> files_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_REPORT_REPORT_OUTPUTS_H_
