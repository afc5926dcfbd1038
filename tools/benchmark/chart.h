// Pictures of figures, as an SVG file: lines over other figures, or bars.
#ifndef MILLRACE_TOOLS_BENCHMARK_CHART_H_
#define MILLRACE_TOOLS_BENCHMARK_CHART_H_

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace millrace::tools {

struct ChartLine {
  std::string name;
  std::vector<std::pair<double, double>> points;  // Positive numbers, by ascending first ones.
};

// Both axes are by powers of ten.
struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<ChartLine> lines;
};

struct ChartBar {
  std::string name;             // Drawn in lines, each but the first of which begins with "+".
  std::vector<double> figures;  // Of the chart's parts, none below 0.
};

// Bars whose parts stand one on the other, on an axis from 0.
struct BarChart {
  std::string title;
  std::string y_label;
  std::vector<std::string> parts;  // From the bottom.
  std::vector<ChartBar> bars;
};

using Chart = std::variant<LineChart, BarChart>;

// Writes one below the other. Throws kIo where the file cannot be written.
void write_charts(const std::string& path, const std::vector<Chart>& charts);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARK_CHART_H_
