// SPDX-License-Identifier: Apache-2.0

// A PositionedFile as Arrow reads files.
#ifndef MILLRACE_TOOLS_TABLES_COLUMNS_ARROW_ARROW_INPUT_H_
#define MILLRACE_TOOLS_TABLES_COLUMNS_ARROW_ARROW_INPUT_H_

#include <millrace/tools/files/input/positioned_file.h>

#include <arrow/io/interfaces.h>
#include <arrow/result.h>

#include <cstdint>
#include <exception>
#include <memory>

namespace millrace::tools {

// Exceptions do not pass through Arrow: it gets a failed status, and the exception is kept. Arrow
// may read from a thread of its own, one at a time (see RandomAccessFile::ReadAt).
class ArrowInput final : public arrow::io::RandomAccessFile {
 public:
  // `file` must outlive this object.
  explicit ArrowInput(const PositionedFile& file) : file_(file) {}

  // Throws the first exception of a read, if there was one.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

  arrow::Result<std::int64_t> GetSize() override;
  arrow::Result<std::int64_t> Tell() const override { return position_; }
  arrow::Status Seek(std::int64_t position) override;
  arrow::Status Close() override;
  bool closed() const override { return is_closed_; }
  arrow::Result<std::int64_t> Read(std::int64_t bytes, void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(std::int64_t bytes) override;

 private:
  // Returns how many of `bytes` bytes there are from the position on.
  std::int64_t present(std::int64_t bytes) const;

  const PositionedFile& file_;
  std::int64_t position_ = 0;
  bool is_closed_ = false;
  std::exception_ptr error_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TABLES_COLUMNS_ARROW_ARROW_INPUT_H_
