// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/tables/columns/arrow/arrow_output.h>

#include <arrow/status.h>

namespace millrace::tools {

arrow::Status ArrowOutput::Close() {
  is_closed_ = true;
  return arrow::Status::OK();
}

arrow::Status ArrowOutput::Write(const void* data, std::int64_t bytes) {
  if (is_closed_) return arrow::Status::IOError("the file is closed");
  try {
    out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  } catch (const std::exception& error) {
    if (!error_) error_ = std::current_exception();
    return arrow::Status::IOError(error.what());
  }
  if (!out_) return arrow::Status::IOError("the stream takes no more");
  position_ += bytes;
  return arrow::Status::OK();
}

}  // namespace millrace::tools
