// SPDX-License-Identifier: Apache-2.0

// Rows of figures under columns, in the form of a paper's table.
#ifndef MILLRACE_TOOLS_REPRODUCE_TABLES_DATA_TABLE_H_
#define MILLRACE_TOOLS_REPRODUCE_TABLES_DATA_TABLE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

struct TableColumn {
  std::string name;
  std::string unit;  // May be empty.
  int decimals = 2;  // Number of decimals shown.
};

struct TableRow {
  std::string label;
  std::vector<std::optional<double>> cells;  // One a column; none where there is no figure.
};

struct DataTable {
  std::string label_name;  // What the labels of rows are, such as "macroblocks".
  std::vector<TableColumn> columns;
  std::vector<TableRow> rows;
  std::vector<std::string> notes;  // Sentences on what figures are, and why some are missing.

  // The figure of a row and a column, none where the table has no such row, column or figure.
  std::optional<double> at(const std::string& label, const std::string& column) const;

  // The index of a column, none where there is no such column.
  std::optional<std::size_t> column_index(const std::string& column) const;

  // Returns the label of the last row that has a figure in all of these columns; "" if none has.
  std::string last_with(const std::vector<std::string>& columns) const;
};

// A label that is a number, as one.
std::optional<double> number_in(const std::string& label);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_TABLES_DATA_TABLE_H_
