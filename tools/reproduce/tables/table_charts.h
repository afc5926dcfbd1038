// SPDX-License-Identifier: Apache-2.0

// Drawings of tables.
#ifndef MILLRACE_TOOLS_REPRODUCE_TABLES_TABLE_CHARTS_H_
#define MILLRACE_TOOLS_REPRODUCE_TABLES_TABLE_CHARTS_H_

#include <millrace/tools/benchmarks/harness/leads.h>
#include <millrace/tools/report/chart/chart.h>
#include <millrace/tools/reproduce/tables/data_table.h>

#include <string>
#include <vector>

namespace millrace::tools {

// A line for each of these columns that has positive figures, in the unit of the chart, which is
// `scale` of theirs, over the numbers that rows are labelled by; `suffix` follows its name. Rows
// with other labels are passed over.
std::vector<ChartLine> lines_of(const DataTable& table, const std::vector<std::string>& columns,
                                double scale = 1, const std::string& suffix = "");

// Factors from milliseconds and microseconds to seconds, for which charts have the prefixes.
inline constexpr double kOfMilliseconds = 1e-3;
inline constexpr double kOfMicroseconds = 1e-6;

// The series of one column over such rows.
std::vector<ChartPoint> points_of(const DataTable& table, const std::string& column);

// The same as a series by size.
SizeSeries series_of(const DataTable& table, const std::string& column);

// A chart where there is a line with a point, none otherwise.
std::vector<Chart> line_charts(const std::string& title, const std::string& x_label,
                               const std::string& y_label, std::vector<ChartLine> lines);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_TABLES_TABLE_CHARTS_H_
