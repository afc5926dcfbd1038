// SPDX-License-Identifier: Apache-2.0

// Parquet and Arrow files of one column, written by the Apache Arrow library.
//
//   const auto writer = make_column_writer(out, {.file = "sorted.parquet", .name = "price",
//                                                .format = TableFormat::kParquet,
//                                                .number = number});
//   writer->write(numbers.data(), numbers.size());
//   writer->finish();
#ifndef MILLRACE_TOOLS_TABLES_COLUMNS_COLUMN_WRITER_H_
#define MILLRACE_TOOLS_TABLES_COLUMNS_COLUMN_WRITER_H_

#include <millrace/tools/tables/columns/table_format.h>
#include <millrace/tools/tables/npy_number.h>

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>

namespace millrace::tools {

struct WrittenColumn {
  std::string file;  // The file's name, for messages.
  std::string name;
  TableFormat format = TableFormat::kParquet;
  NpyNumber number{};  // In little-endian order.
};

// Used by one thread at a time. Destroyed without finish(), it writes nothing more, so that the
// file has no end and no reader takes it for a whole one.
class ColumnWriter {
 public:
  virtual ~ColumnWriter() = default;

  // Appends numbers. Their bytes may be cut anywhere between two calls. Throws what `out` throws,
  // and Error(kIo).
  virtual void write(const void* bytes, std::size_t count) = 0;

  // Writes what is left and the end of the file; the stream is not closed. Throws the same, and
  // Error(kInternal) if the last number is not whole.
  virtual void finish() = 0;
};

// Writes from the present position of `out` on, without seeking. `out` must outlive the writer.
// Throws Error(kIo) in a program without Arrow.
std::unique_ptr<ColumnWriter> make_column_writer(std::ostream& out, const WrittenColumn& column);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TABLES_COLUMNS_COLUMN_WRITER_H_
