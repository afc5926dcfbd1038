// SPDX-License-Identifier: Apache-2.0

// Writes tables of any types for tests, by Arrow itself.
#ifndef MILLRACE_TOOLS_TABLES_COLUMNS_TESTING_WRITE_TABLE_H_
#define MILLRACE_TOOLS_TABLES_COLUMNS_TESTING_WRITE_TABLE_H_

#include <millrace/tools/tables/columns/table_format.h>

#include <arrow/table.h>

#include <cstdint>
#include <string>

namespace millrace::tools {

// Writes the table in row groups or batches of `chunk_rows` rows. A Parquet file also has its types
// of Arrow. Throws std::runtime_error for what Arrow cannot write.
void write_table(const std::string& path, TableFormat format, const arrow::Table& table,
                 std::int64_t chunk_rows);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TABLES_COLUMNS_TESTING_WRITE_TABLE_H_
