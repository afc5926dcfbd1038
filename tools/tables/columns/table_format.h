// SPDX-License-Identifier: Apache-2.0

// The formats of files that hold tables of typed columns.
#ifndef MILLRACE_TOOLS_TABLES_COLUMNS_TABLE_FORMAT_H_
#define MILLRACE_TOOLS_TABLES_COLUMNS_TABLE_FORMAT_H_

#include <millrace/tools/files/input/file_kind.h>

#include <optional>
#include <string>

namespace millrace::tools {

enum class TableFormat {
  kParquet,
  kArrow,  // Arrow's IPC file, which is also Feather of version 2.
};

// Returns the format that a file's name ends in, in letters of any case: .parquet, or .arrow or
// .feather.
std::optional<TableFormat> table_format_of(const std::string& path);

// Returns the format of a file of this kind, if it is a table.
std::optional<TableFormat> table_format_of(const FileKind& kind);

// Returns "a Parquet file" or "an Arrow file", for messages.
const char* to_string(TableFormat format);

// Returns true if this program was built with the Apache Arrow library.
bool has_arrow();

// Throws Error(kIo) without that library: the table `name` cannot be read, or written if
// `is_output`; the message says what to install.
void require_arrow(const std::string& name, TableFormat format, bool is_output);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TABLES_COLUMNS_TABLE_FORMAT_H_
