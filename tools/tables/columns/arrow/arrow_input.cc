// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/tables/columns/arrow/arrow_input.h>

#include <arrow/buffer.h>
#include <arrow/status.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace millrace::tools {

arrow::Result<std::int64_t> ArrowInput::GetSize() {
  return static_cast<std::int64_t>(file_.bytes());
}

arrow::Status ArrowInput::Seek(std::int64_t position) {
  if (position < 0) return arrow::Status::Invalid("a position before the file");
  position_ = position;
  return arrow::Status::OK();
}

arrow::Status ArrowInput::Close() {
  is_closed_ = true;
  return arrow::Status::OK();
}

std::int64_t ArrowInput::present(std::int64_t bytes) const {
  const std::int64_t rest = static_cast<std::int64_t>(file_.bytes()) - position_;
  return std::max<std::int64_t>(std::min(rest, bytes), 0);
}

arrow::Result<std::int64_t> ArrowInput::Read(std::int64_t bytes, void* out) {
  const std::int64_t there = present(bytes);
  if (there == 0) return 0;
  try {
    file_.read(static_cast<std::uint64_t>(position_), out, static_cast<std::size_t>(there));
  } catch (const std::exception& error) {
    if (!error_) error_ = std::current_exception();
    return arrow::Status::IOError(error.what());
  }
  position_ += there;
  return there;
}

arrow::Result<std::shared_ptr<arrow::Buffer>> ArrowInput::Read(std::int64_t bytes) {
  // No more than there is: a damaged file may name a size that no memory has.
  const std::int64_t there = present(bytes);
  ARROW_ASSIGN_OR_RAISE(std::unique_ptr<arrow::Buffer> buffer, arrow::AllocateBuffer(there));
  ARROW_RETURN_NOT_OK(Read(there, buffer->mutable_data()));
  return std::shared_ptr<arrow::Buffer>(std::move(buffer));
}

}  // namespace millrace::tools
