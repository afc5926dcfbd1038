// SPDX-License-Identifier: Apache-2.0

// Shared elements of the drawings of all kinds of charts. Coordinates are pixels at a chart's own
// size.
#ifndef MILLRACE_TOOLS_REPORT_CHART_DRAWING_H_
#define MILLRACE_TOOLS_REPORT_CHART_DRAWING_H_

#include <millrace/tools/report/chart/axis.h>
#include <millrace/tools/report/chart/chart.h>
#include <millrace/tools/report/chart/xml_writer.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace millrace::tools {

// As wide as a telephone, so that letters stay readable there.
inline constexpr double kChartWidth = 420;
inline constexpr double kLineHeight = 17;  // Height of a line of text.
inline constexpr double kMarkerSize = 4.5;
inline constexpr double kSeriesNameX = 48;  // Left end of the names of series.

// Left and right end of a plot with figures to the left of it.
inline constexpr double kPlotLeft = 52;
inline constexpr double kPlotRight = kChartWidth - 14;

// A chart without the element around it.
struct Drawing {
  std::string body;
  double height = 0;
  std::string description;  // Summary of the chart for people who do not see it.
};

Drawing drawing_of(const LineChart& chart);
Drawing drawing_of(const BarChart& chart);
Drawing drawing_of(const LaneChart& chart);
Drawing drawing_of(const SequenceChart& chart);
Drawing drawing_of(const CascadeChart& chart);

// "series s2 m3 d1": the colour, marker and dash of the line of that number.
std::string series_class(std::size_t index, const char* kind);

// The marker of the line of that number around a point, as an element.
void write_marker(XmlWriter& out, std::size_t index, double x, double y);

// Writes an axis with lines from `top` to `bottom` and, below, as many of its numbers as there is
// space for, each with `unit`.
void write_horizontal_axis(XmlWriter& out, const Axis& axis, double top, double bottom,
                           const std::string& unit = "");

// Writes an axis with lines from `left` to `right` and all its numbers to the left of them.
void write_vertical_axis(XmlWriter& out, const Axis& axis, double left, double right);

// Broken between words into lines that fit a width.
std::vector<std::string> wrapped(const std::string& text, double width);

// Writes `text` in lines from `y` down; returns where the next line is.
double write_lines(XmlWriter& out, double x, double y, double width, const char* css_class,
                   const std::string& text);

// The texts of one line of a chart.
struct SeriesText {
  std::string name;
  std::string description;  // Describes the line to people who do not see it.
};

// Writes the line of that number as an element of its own, which the keyboard reaches: what
// `draw_points` writes and, from `y` down, a sample of the line beside its name. Returns where the
// next name is.
double write_series(XmlWriter& out, std::size_t index, double y, const SeriesText& text,
                    const std::function<void()>& draw_points);

// Writes the title and, below it, what is measured; returns where the chart begins.
double write_head(XmlWriter& out, const std::string& title, const std::string& label);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_CHART_DRAWING_H_
