// SPDX-License-Identifier: Apache-2.0

// A std::ostream as Arrow writes files.
#ifndef MILLRACE_TOOLS_TABLES_COLUMNS_ARROW_ARROW_OUTPUT_H_
#define MILLRACE_TOOLS_TABLES_COLUMNS_ARROW_ARROW_OUTPUT_H_

#include <arrow/io/interfaces.h>
#include <arrow/result.h>

#include <cstdint>
#include <exception>
#include <ostream>

namespace millrace::tools {

// Exceptions do not pass through Arrow: it gets a failed status, and the exception is kept. Used by
// one thread at a time.
class ArrowOutput final : public arrow::io::OutputStream {
 public:
  // `out` must outlive this object.
  explicit ArrowOutput(std::ostream& out) : out_(out) {}

  // Throws the first exception of a write, if there was one.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

  // Rejects all further writes: writers of Parquet write the end of a file when they are destroyed.
  void stop() { is_closed_ = true; }

  // Leaves the stream open, as another writes its end.
  arrow::Status Close() override;
  arrow::Result<std::int64_t> Tell() const override { return position_; }
  bool closed() const override { return is_closed_; }
  arrow::Status Write(const void* data, std::int64_t bytes) override;

  using OutputStream::Write;

 private:
  std::ostream& out_;
  std::int64_t position_ = 0;
  bool is_closed_ = false;
  std::exception_ptr error_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TABLES_COLUMNS_ARROW_ARROW_OUTPUT_H_
