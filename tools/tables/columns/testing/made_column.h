// SPDX-License-Identifier: Apache-2.0

// Tables of numbers that tests make, and read back, by Arrow itself.
//
//   make_table("t.parquet", TableFormat::kParquet, {{"price", number, bytes}}, 100);
#ifndef MILLRACE_TOOLS_TABLES_COLUMNS_TESTING_MADE_COLUMN_H_
#define MILLRACE_TOOLS_TABLES_COLUMNS_TESTING_MADE_COLUMN_H_

#include <millrace/tools/tables/columns/table_format.h>
#include <millrace/tools/tables/npy_number.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

struct MadeColumn {
  std::string name;
  NpyNumber number;
  std::string bytes;  // Of all numbers, in little-endian order.

  friend bool operator==(const MadeColumn&, const MadeColumn&) = default;
};

// Writes columns of the same length in row groups or batches of `chunk_rows` rows. Throws
// std::runtime_error.
void make_table(const std::string& path, TableFormat format, const std::vector<MadeColumn>& columns,
                std::int64_t chunk_rows);

// Returns the columns of numbers without nulls of a table. Throws std::runtime_error for what Arrow
// cannot read.
std::vector<MadeColumn> columns_of(const std::string& path, TableFormat format);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TABLES_COLUMNS_TESTING_MADE_COLUMN_H_
