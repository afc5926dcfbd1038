// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/tables/side_by_side.h>

#include <algorithm>
#include <cstdio>
#include <optional>

namespace millrace::tools {
namespace {

struct TableSource {
  const char* name;
  const DataTable* table;
};

std::string text_of(std::optional<double> figure, int decimals) {
  if (!figure) return "";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, *figure);
  return text;
}

bool has_figures(const DataTable& table, const std::string& column) {
  return !table.last_with({column}).empty();
}

// All labels, each once. Numbers ascend behind words; words are in the paper's order, and those
// that it has not stand before a last one that both have, such as "mean".
std::vector<std::string> labels_of(const DataTable& paper, const DataTable& here) {
  std::vector<std::string> labels;
  for (const TableRow& row : paper.rows) labels.push_back(row.label);
  const bool has_last =
      !labels.empty() && !here.rows.empty() && labels.back() == here.rows.back().label;
  for (const TableRow& row : here.rows) {
    if (std::ranges::find(labels, row.label) != labels.end()) continue;
    labels.insert(labels.end() - (has_last ? 1 : 0), row.label);
  }
  std::ranges::stable_sort(labels, {},
                           [](const std::string& label) { return number_in(label).value_or(-1); });
  return labels;
}

}  // namespace

SideBySide side_by_side(const DataTable& paper, const DataTable& here) {
  const TableSource sources[] = {{"paper", &paper}, {"here", &here}};
  SideBySide both{here.label_name, {}, {}};
  std::vector<TableColumn> columns = paper.columns;
  for (const TableColumn& column : here.columns) {
    if (!paper.column_index(column.name)) columns.push_back(column);
  }
  for (const std::string& label : labels_of(paper, here)) both.rows.push_back({label, {}});
  for (const TableColumn& column : columns) {
    for (const TableSource& source : sources) {
      if (!has_figures(*source.table, column.name)) continue;
      both.heads.push_back({column.name, column.unit, source.name});
      for (SideBySide::Row& row : both.rows) {
        row.cells.push_back(text_of(source.table->at(row.label, column.name), column.decimals));
      }
    }
  }
  std::erase_if(both.rows, [](const SideBySide::Row& row) {
    return std::ranges::all_of(row.cells, &std::string::empty);
  });
  return both;
}

}  // namespace millrace::tools
