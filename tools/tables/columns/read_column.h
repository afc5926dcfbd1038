// SPDX-License-Identifier: Apache-2.0

// Columns of numbers in Parquet and Arrow files, read by the Apache Arrow library.
//
//   const NumberColumn column = read_column(PositionedFile::open("t.parquet"),
//                                          TableFormat::kParquet, "price", folder);
//   column.values.read(0, numbers.data(), column.count * column.number.bytes);
#ifndef MILLRACE_TOOLS_TABLES_COLUMNS_READ_COLUMN_H_
#define MILLRACE_TOOLS_TABLES_COLUMNS_READ_COLUMN_H_

#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/tables/columns/table_format.h>
#include <millrace/tools/tables/npy_number.h>

#include <cstdint>
#include <string>

namespace millrace::tools {

struct NumberColumn {
  std::string name;
  NpyNumber number{};  // In little-endian order.
  std::uint64_t count = 0;
  PositionedFile values;  // The numbers, one after another.
};

// Copies the column `name` (empty: the only one) into a nameless file in `folder` (empty: the
// current one), its row groups or batches one after another. Takes memory for a page of a Parquet
// file, or for the column in one batch of an Arrow file.
//
// Throws Error: kInvalidArgument if there is no such column, or several to choose from; kIo for a
// column with nulls or of another type than integers and floats of 8 to 64 bits, for a damaged
// file, and in a program without Arrow; kCancelled once an InterruptGuard has got a signal.
NumberColumn read_column(const PositionedFile& table, TableFormat format, const std::string& name,
                         const std::string& folder);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TABLES_COLUMNS_READ_COLUMN_H_
