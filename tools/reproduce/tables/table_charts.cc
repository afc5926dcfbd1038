// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/tables/table_charts.h>

#include <optional>
#include <utility>

namespace millrace::tools {
std::vector<ChartPoint> points_of(const DataTable& table, const std::string& column) {
  std::vector<ChartPoint> points;
  for (const TableRow& row : table.rows) {
    const auto x = number_in(row.label);
    const auto y = table.at(row.label, column);
    if (x && y && *y > 0) points.push_back({*x, *y});
  }
  return points;
}

SizeSeries series_of(const DataTable& table, const std::string& column) {
  SizeSeries series;
  for (const ChartPoint& point : points_of(table, column)) {
    series[static_cast<std::size_t>(point.x)] = point.y;
  }
  return series;
}

std::vector<ChartLine> lines_of(const DataTable& table, const std::vector<std::string>& columns,
                                double scale, const std::string& suffix) {
  std::vector<ChartLine> lines;
  for (const std::string& column : columns) {
    std::vector<ChartPoint> points = points_of(table, column);
    for (ChartPoint& point : points) point.y *= scale;
    if (!points.empty()) lines.push_back({column + suffix, std::move(points)});
  }
  return lines;
}

std::vector<Chart> line_charts(const std::string& title, const std::string& x_label,
                               const std::string& y_label, std::vector<ChartLine> lines) {
  if (lines.empty()) return {};
  return {LineChart{title, x_label, y_label, std::move(lines)}};
}

}  // namespace millrace::tools
