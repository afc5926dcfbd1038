// A picture of figures over figures, as an SVG file.
#ifndef MILLRACE_TOOLS_BENCHMARK_LINE_CHART_H_
#define MILLRACE_TOOLS_BENCHMARK_LINE_CHART_H_

#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {

struct ChartLine {
  std::string name;
  std::vector<std::pair<double, double>> points;  // Positive numbers, by ascending first ones.
};

struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<ChartLine> lines;
};

// Writes one below the other, both axes by powers of ten. Throws kIo where the file cannot be
// written.
void write_line_charts(const std::string& path, const std::vector<LineChart>& charts);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARK_LINE_CHART_H_
