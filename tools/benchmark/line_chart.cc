#include <millrace/tools/benchmark/line_chart.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <ostream>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

constexpr double kWidth = 640;
constexpr double kHeight = 400;
constexpr double kLeft = 60;
constexpr double kRight = 110;  // The lines' names.
constexpr double kTop = 40;
constexpr double kBottom = 50;

const char* const kColours[] = {"#0b62a4", "#d1491b", "#3a8a3a", "#8455a8", "#7a7a7a", "#b8860b"};

// Whole powers of ten around the numbers, spread over the places between two ends.
class LogAxis {
 public:
  LogAxis(double low_end, double high_end) : low_end_(low_end), high_end_(high_end) {}

  void include(double value) {
    first_ = std::min(first_, static_cast<int>(std::floor(std::log10(value))));
    last_ = std::max(last_, static_cast<int>(std::ceil(std::log10(value))));
  }
  int first_power() const { return first_; }
  int last_power() const { return last_; }
  double place(double value) const {
    const double share = (std::log10(value) - first_) / std::max(last_ - first_, 1);
    return low_end_ + (high_end_ - low_end_) * share;
  }

 private:
  double low_end_;
  double high_end_;
  int first_ = 99;
  int last_ = -99;
};

void write_line(std::ostream& out, double x1, double y1, double x2, double y2) {
  out << "<line x1='" << x1 << "' y1='" << y1 << "' x2='" << x2 << "' y2='" << y2
      << "' stroke='#ddd'/>\n";
}

void write_text(std::ostream& out, double x, double y, const std::string& anchor,
                const std::string& text, const std::string& colour = "#222") {
  out << "<text x='" << x << "' y='" << y << "' text-anchor='" << anchor << "' fill='" << colour
      << "'>" << text << "</text>\n";
}

void write_axes(std::ostream& out, const LineChart& chart, const LogAxis& x, const LogAxis& y) {
  for (int power = x.first_power(); power <= x.last_power(); ++power) {
    const double place = x.place(std::pow(10, power));
    write_line(out, place, kTop, place, kHeight - kBottom);
    write_text(out, place, kHeight - kBottom + 18, "middle", "1e" + std::to_string(power));
  }
  for (int power = y.first_power(); power <= y.last_power(); ++power) {
    const double place = y.place(std::pow(10, power));
    write_line(out, kLeft, place, kWidth - kRight, place);
    write_text(out, kLeft - 6, place + 4, "end", "1e" + std::to_string(power));
  }
  write_text(out, kLeft, 18, "start", chart.title);
  write_text(out, kLeft, 33, "start", chart.y_label, "#777");
  write_text(out, kWidth - kRight, kHeight - 12, "end", chart.x_label, "#777");
}

void write_chart(std::ostream& out, const LineChart& chart) {
  LogAxis x(kLeft, kWidth - kRight);
  LogAxis y(kHeight - kBottom, kTop);
  for (const ChartLine& line : chart.lines) {
    for (const auto& [over, figure] : line.points) {
      x.include(over);
      y.include(figure);
    }
  }
  write_axes(out, chart, x, y);
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const ChartLine& line = chart.lines[i];
    const char* const colour = kColours[i % std::size(kColours)];
    if (line.points.empty()) continue;
    out << "<polyline fill='none' stroke-width='2' stroke='" << colour << "' points='";
    for (const auto& [over, figure] : line.points) {
      out << x.place(over) << ',' << y.place(figure) << ' ';
    }
    out << "'/>\n";
    write_text(out, x.place(line.points.back().first) + 6, y.place(line.points.back().second) + 4,
               "start", line.name, colour);
  }
}

}  // namespace

void write_line_charts(const std::string& path, const std::vector<LineChart>& charts) {
  std::ofstream out(path);
  out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << kWidth << "' height='"
      << kHeight * static_cast<double>(charts.size())
      << "' font-family='sans-serif' font-size='12'>\n<rect width='100%' height='100%' "
         "fill='white'/>\n";
  for (std::size_t i = 0; i < charts.size(); ++i) {
    out << "<g transform='translate(0 " << kHeight * static_cast<double>(i) << ")'>\n";
    write_chart(out, charts[i]);
    out << "</g>\n";
  }
  out << "</svg>\n";
  if (!out.flush()) throw Error(ErrorCode::kIo, "cannot write " + path);
}

}  // namespace millrace::tools
