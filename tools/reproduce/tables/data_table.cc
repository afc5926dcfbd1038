// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/tables/data_table.h>

#include <algorithm>
#include <charconv>

namespace millrace::tools {

std::optional<std::size_t> DataTable::column_index(const std::string& column) const {
  const auto found = std::ranges::find(columns, column, &TableColumn::name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

std::optional<double> DataTable::at(const std::string& label, const std::string& column) const {
  const auto row = std::ranges::find(rows, label, &TableRow::label);
  const auto index = column_index(column);
  if (row == rows.end() || !index) return std::nullopt;
  return row->cells.at(*index);
}

std::string DataTable::last_with(const std::vector<std::string>& wanted) const {
  std::string last;
  for (const TableRow& row : rows) {
    const bool has_all = std::ranges::all_of(
        wanted, [&](const std::string& column) { return at(row.label, column).has_value(); });
    if (has_all) last = row.label;
  }
  return last;
}

std::optional<double> number_in(const std::string& label) {
  double number = 0;
  const char* const end = label.data() + label.size();
  const auto [rest, error] = std::from_chars(label.data(), end, number);
  if (rest != end || error != std::errc()) return std::nullopt;
  return number;
}

}  // namespace millrace::tools
