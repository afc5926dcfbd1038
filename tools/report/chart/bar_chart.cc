// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/axis.h>
#include <millrace/tools/report/chart/drawing.h>
#include <millrace/tools/report/chart/number_text.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <sstream>
#include <string>

namespace millrace::tools {
namespace {

constexpr double kBarsLeft = 8;
constexpr double kBarsRight = kChartWidth - 120;  // Figures follow the bars.
constexpr double kBarHeight = 15;
constexpr double kGap = 8;  // Between a bar and the name of the next.

double sum_of(const ChartBar& bar) { return std::reduce(bar.figures.begin(), bar.figures.end()); }

double most_of(const BarChart& chart) {
  double most = 0;
  for (const ChartBar& bar : chart.bars) most = std::max({most, sum_of(bar), bar.high});
  return most;
}

void draw_interval(XmlWriter& out, const ChartBar& bar, const Axis& axis, double y) {
  if (bar.high <= 0) return;
  const double middle = y + kBarHeight / 2;
  out.empty("path", {{"class", "whisker"},
                     {"d", "M" + xml_number(axis.position(bar.low)) + "," + xml_number(middle - 3) +
                               "v6m0,-3H" + xml_number(axis.position(bar.high)) + "m0,-3v6"}});
}

void draw_bar(XmlWriter& out, const BarChart& chart, const ChartBar& bar, const Axis& axis,
              double y) {
  double before = 0;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const double after = before + bar.figures[i];
    out.open("rect", {{"class", series_class(i, "bar")},
                      {"x", axis.position(before)},
                      {"y", y},
                      {"width", axis.position(after) - axis.position(before)},
                      {"height", kBarHeight}});
    out.element(
        "title", {},
        bar.name + ", " + chart.series[i] + ": " + quantity_text(bar.figures[i], chart.unit));
    out.close();
    before = after;
  }
  draw_interval(out, bar, axis, y);
  out.element(
      "text",
      {{"class", "figure"}, {"x", axis.position(std::max(before, bar.high)) + 6}, {"y", y + 12}},
      figure_text(before, chart.unit));
}

double draw_series_names(XmlWriter& out, const BarChart& chart, double y) {
  if (chart.series.size() < 2) return y;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    out.empty("rect", {{"class", series_class(i, "bar")},
                       {"x", kBarsLeft},
                       {"y", y - 11},
                       {"width", 24.0},
                       {"height", 12.0}});
    y = write_lines(out, kBarsLeft + 32, y, kChartWidth - kBarsLeft - 32, "name", chart.series[i]);
  }
  return y;
}

std::string description_of(const BarChart& chart) {
  std::string text = "Bars.";
  for (const ChartBar& bar : chart.bars) {
    text += " " + bar.name + ": " + quantity_text(sum_of(bar), chart.unit) + ".";
  }
  return text;
}

}  // namespace

Drawing drawing_of(const BarChart& chart) {
  std::ostringstream body;
  XmlWriter out(body);
  const double top = write_head(out, chart.title, chart.unit) - 8;
  std::ostringstream bars;
  XmlWriter bars_out(bars);
  const Axis axis = Axis::exact(most_of(chart), kBarsLeft, kBarsRight);
  double y = top + kLineHeight;
  for (const ChartBar& bar : chart.bars) {
    y = write_lines(bars_out, kBarsLeft, y, kChartWidth - kBarsLeft, "name", bar.name) - 11;
    draw_bar(bars_out, chart, bar, axis, y);
    y += kBarHeight + kGap + kLineHeight - 5;
  }
  const double bottom = y - kLineHeight + 2;
  write_horizontal_axis(out, axis, top, bottom);
  out.raw(bars.str());
  y = draw_series_names(out, chart, bottom + kLineHeight + 22);
  return {body.str(), y - kLineHeight + 14, description_of(chart)};
}

}  // namespace millrace::tools
