#include <millrace/tools/reproduce/side_by_side.h>

#include <algorithm>
#include <cstdio>
#include <optional>

namespace millrace::tools {
namespace {

struct Source {
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

}  // namespace

SideBySide side_by_side(const DataTable& paper, const DataTable& here) {
  const Source sources[] = {{"paper", &paper}, {"here", &here}};
  SideBySide both{here.label_name, {}, {}};
  std::vector<TableColumn> columns = paper.columns;
  for (const TableColumn& column : here.columns) {
    if (!paper.place_of(column.name)) columns.push_back(column);
  }
  for (const Source& source : sources) {
    for (const TableRow& row : source.table->rows) {
      if (std::ranges::find(both.rows, row.label, &SideBySide::Row::label) == both.rows.end()) {
        both.rows.push_back({row.label, {}});
      }
    }
  }
  for (const TableColumn& column : columns) {
    for (const Source& source : sources) {
      if (!has_figures(*source.table, column.name)) continue;
      both.heads.push_back({column.name, column.unit, source.name});
      for (SideBySide::Row& row : both.rows) {
        row.cells.push_back(text_of(source.table->at(row.label, column.name), column.decimals));
      }
    }
  }
  return both;
}

}  // namespace millrace::tools
