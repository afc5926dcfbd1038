// SPDX-License-Identifier: Apache-2.0

// Rows of a text table, as spreadsheets, NumPy, gnuplot, GMT and survey tools write them.
//
//   read_table(text, "sensors.csv", [&](const TextRow& row) { use(row.line, row.fields); });
//
// Fields are separated by `;`, tabs, `|` or commas: the first of these that most of the first 100
// rows have, if more than half have it; else by any spaces and tabs. Lines end with LF, CR LF or
// CR. Fields may be quoted as RFC 4180 has it, with separators, doubled quotation marks and line
// breaks inside; a mark within an unquoted field stands for itself. Lines that begin with #,
// or with % as those of Octave, are comments. Blank lines, and lines of empty fields, are skipped.
// libcsv splits the fields.
#ifndef MILLRACE_TOOLS_TABLES_READ_TABLE_H_
#define MILLRACE_TOOLS_TABLES_READ_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace millrace::tools {

// A row, valid during the call of the visitor.
struct TextRow {
  std::uint64_t line = 0;  // The number of its first line, from 1 on.
  // Fields without quotation marks and the spaces around them.
  std::span<const std::string_view> fields;
  // True for a comment, whose fields are those behind the mark.
  bool is_comment = false;
};

using RowVisitor = std::function<void(const TextRow& row)>;

// Returns the character that separates a table's fields; ' ' stands for any spaces and tabs.
char find_separator(std::string_view text);

// Calls `visitor` for each row and comment in order. Throws Error(kIo) with the name and the line
// if a quotation mark is not closed, and what the visitor throws.
void read_table(std::string_view text, const std::string& name, const RowVisitor& visitor);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TABLES_READ_TABLE_H_
