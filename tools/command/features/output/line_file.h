// SPDX-License-Identifier: Apache-2.0

// A file or pipe that several threads write whole lines to.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_LINE_FILE_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_LINE_FILE_H_

#include <millrace/tools/files/output/output_file.h>

#include <fstream>
#include <mutex>
#include <optional>
#include <string>

namespace millrace::tools {

class LineFile {
 public:
  // Writes a file that appears when it is complete, or a pipe. Throws Error(kIo).
  LineFile(const std::string& path, bool force);
  // Appends to a file, which is there after each write.
  explicit LineFile(const std::string& path);

  // Writes lines, the last with its end. Any thread may call it. Throws Error(kIo).
  void write(const std::string& lines, bool flushes);

  // Throws Error(kIo).
  void commit();

 private:
  void check_appended() const;

  std::string path_;
  std::mutex mutex_;
  std::optional<OutputFile> file_;
  std::ofstream appended_;
};

// Lines of one stream, which are kept until they are many or the stream ends.
class LineBuffer {
 public:
  // `is_eager`: nothing is kept. `file` must outlive this object.
  LineBuffer(LineFile& file, bool is_eager) : file_(file), is_eager_(is_eager) {}

  // The text to append a line to, and then its end; followed by end_line().
  std::string& text() { return text_; }
  void end_line();
  void flush();

 private:
  LineFile& file_;
  bool is_eager_;
  std::string text_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_LINE_FILE_H_
