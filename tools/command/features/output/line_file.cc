// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/output/line_file.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace millrace::tools {

LineFile::LineFile(const std::string& path, bool force) : path_(path) {
  file_.emplace(path, force);
}

LineFile::LineFile(const std::string& path) : path_(path) {
  appended_.open(path, std::ios::binary | std::ios::app);
  check_appended();
}

void LineFile::check_appended() const {
  if (appended_) return;
  throw Error(ErrorCode::kIo,
              path_ + ": cannot be written: " + std::generic_category().message(errno));
}

void LineFile::write(const std::string& lines, bool flushes) {
  const std::lock_guard lock(mutex_);
  std::ostream& stream = file_ ? file_->stream() : appended_;
  stream.write(lines.data(), static_cast<std::streamsize>(lines.size()));
  if (flushes || !file_) stream.flush();
  if (!file_) check_appended();
}

void LineFile::commit() {
  const std::lock_guard lock(mutex_);
  if (file_) return file_->commit();
  appended_.flush();
  check_appended();
}

void LineBuffer::end_line() {
  constexpr std::size_t kMost = 1 << 20;
  text_ += '\n';
  if (is_eager_ || text_.size() >= kMost) flush();
}

void LineBuffer::flush() {
  if (!text_.empty()) file_.write(text_, is_eager_);
  text_.clear();
}

}  // namespace millrace::tools
