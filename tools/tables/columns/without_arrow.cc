// SPDX-License-Identifier: Apache-2.0

// Readers and writers of tables for a program without Apache Arrow: each call throws an error that
// says what to install.
#include <millrace/runtime/core/check.h>
#include <millrace/tools/tables/columns/column_writer.h>
#include <millrace/tools/tables/columns/read_column.h>

namespace millrace::tools {

bool has_arrow() { return false; }

NumberColumn read_column(const PositionedFile& table, TableFormat format, const std::string&,
                         const std::string&) {
  require_arrow(table.name(), format, /*is_output=*/false);
  throw Error(ErrorCode::kInternal, "a table is read without Arrow");
}

std::unique_ptr<ColumnWriter> make_column_writer(std::ostream&, const WrittenColumn& column) {
  require_arrow(column.file, column.format, /*is_output=*/true);
  throw Error(ErrorCode::kInternal, "a table is written without Arrow");
}

}  // namespace millrace::tools
