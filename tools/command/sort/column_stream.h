// SPDX-License-Identifier: Apache-2.0

// Writes sorted numbers as the column of a table.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_COLUMN_STREAM_H_
#define MILLRACE_TOOLS_COMMAND_SORT_COLUMN_STREAM_H_

#include <millrace/tools/command/sort/unbuffered_output.h>
#include <millrace/tools/tables/columns/column_writer.h>

#include <cstddef>
#include <memory>
#include <ostream>
#include <utility>

namespace millrace::tools {

// A stream that takes numbers and writes a table with them to `out`, which must outlive it. What
// make_column_writer() and its writer throw comes out of the constructor, writes and finish().
class ColumnStream : public std::ostream {
 public:
  ColumnStream(std::ostream& out, const WrittenColumn& column)
      : std::ostream(nullptr), buffer_(make_column_writer(out, column)) {
    rdbuf(&buffer_);
    exceptions(badbit);
  }

  // Writes the end of the table.
  void finish() { buffer_.finish(); }

 private:
  class Buffer : public UnbufferedOutput {
   public:
    explicit Buffer(std::unique_ptr<ColumnWriter> writer) : writer_(std::move(writer)) {}

    void finish() { writer_->finish(); }

   private:
    std::streamsize xsputn(const char* data, std::streamsize bytes) override {
      writer_->write(data, static_cast<std::size_t>(bytes));
      return bytes;
    }

    std::unique_ptr<ColumnWriter> writer_;
  };

  Buffer buffer_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_COLUMN_STREAM_H_
