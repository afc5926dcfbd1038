// SPDX-License-Identifier: Apache-2.0

// Pictures of figures as SVG: lines over other figures, bars, lanes of what ran when, figures of
// items in a row, and cascades of efficiencies.
//
// clang-format off
//   const LineChart chart{"Sorting", "keys", "keys/s",
//                         {{"tbb", {{1e3, 2e7}, {1e6, 9e7, 8.8e7, 9.1e7}}}}};
//   write_charts("sorting.svg", {chart});
// clang-format on
//
// Lines are distinguished by colour, marker and dash, in colours that differ under each kind of
// colour vision; colours follow a viewer's light or dark scheme and are light in print.
#ifndef MILLRACE_TOOLS_REPORT_CHART_CHART_H_
#define MILLRACE_TOOLS_REPORT_CHART_CHART_H_

#include <string>
#include <variant>
#include <vector>

namespace millrace::tools {

// `low` and `high` are the ends of an interval around `y`, drawn unless both are 0.
struct ChartPoint {
  double x = 0;
  double y = 0;
  double low = 0;
  double high = 0;
};

struct ChartLine {
  std::string name;
  std::vector<ChartPoint> points;  // Positive numbers, by ascending `x`.
};

// A line across the chart at `x`, which a number leads from to `text` below it.
struct ChartMark {
  double x = 0;
  std::string text;
};

// Both axes are logarithmic.
struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<ChartLine> lines;
  std::vector<ChartMark> marks = {};
  double reference = 0;  // A line along the chart at this `y`; 0: none.
};

struct ChartBar {
  std::string name;
  std::vector<double> figures;  // One figure per series of the chart, none below 0.
  double low = 0;               // An interval around their sum, drawn unless both ends are 0.
  double high = 0;
};

// Bars on an axis from 0; a bar's figures of all series follow one another.
struct BarChart {
  std::string title;
  std::string unit;
  std::vector<std::string> series;  // Named below the chart where there are several.
  std::vector<ChartBar> bars;
};

struct ChartSpan {
  std::string name;
  double begin = 0;
  double end = 0;
};

struct ChartLane {
  std::string name;
  std::vector<ChartSpan> spans;
};

// A timeline that shows what ran when, with each lane below the one before it.
struct LaneChart {
  std::string title;
  std::string x_label;
  std::vector<ChartLane> lanes;
};

struct ChartSeries {
  std::string name;
  std::vector<double> figures;  // One figure per item, none below 0.
};

// Figures of items in a row, such as the frames of a clip, on linear axes from 0: a line for each
// series, or columns in which the series stand on one another.
struct SequenceChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<ChartSeries> series;
  bool is_stacked = false;
};

struct CascadeLine {
  std::string name;
  std::vector<double> efficiencies;  // 0 to 1, descending; 0: not supported.
  double portability = 0;            // Harmonic mean of all, written behind the name.
};

// Efficiencies of applications on the platform each does best on, the next, and so on: a line ends
// at the last platform that its application supports.
struct CascadeChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<CascadeLine> lines;
};

using Chart = std::variant<LineChart, BarChart, LaneChart, SequenceChart, CascadeChart>;

const std::string& title_of(const Chart& chart);

// An <svg> element for a page that has chart_style(): it scales to the width it is given. `id` is
// unique in the page. Lines can be reached by the keyboard, and then show their figures.
std::string chart_element(const Chart& chart, const std::string& id);

// CSS of colours and lines, by custom properties of the root element.
std::string chart_style();

// Charts one below the other, as a file of its own.
std::string charts_file(const std::vector<Chart>& charts);

// Writes such a file. Throws kIo where it cannot be written.
void write_charts(const std::string& path, const std::vector<Chart>& charts);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_CHART_CHART_H_
