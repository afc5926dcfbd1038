#include <millrace/tools/benchmark/chart.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <numeric>
#include <ostream>
#include <sstream>
#include <utility>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

constexpr double kWidth = 740;
constexpr double kHeight = 400;
constexpr double kLeft = 60;
constexpr double kRight = 210;  // The names of lines, or of parts.
constexpr double kTop = 40;
constexpr double kBottom = 50;
constexpr double kLineHeight = 14;  // Of text.

const char* const kColours[] = {"#0b62a4", "#d1491b", "#3a8a3a", "#8455a8", "#7a7a7a", "#b8860b"};

const char* colour_of(std::size_t index) { return kColours[index % std::size(kColours)]; }

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

void write_titles(std::ostream& out, const std::string& title, const std::string& y_label) {
  write_text(out, kLeft, 18, "start", title);
  write_text(out, kLeft, 33, "start", y_label, "#777");
}

void write_y_step(std::ostream& out, double place, const std::string& text) {
  write_line(out, kLeft, place, kWidth - kRight, place);
  write_text(out, kLeft - 6, place + 4, "end", text);
}

void write_axes(std::ostream& out, const LineChart& chart, const LogAxis& x, const LogAxis& y) {
  for (int power = x.first_power(); power <= x.last_power(); ++power) {
    const double place = x.place(std::pow(10, power));
    write_line(out, place, kTop, place, kHeight - kBottom);
    write_text(out, place, kHeight - kBottom + 18, "middle", "1e" + std::to_string(power));
  }
  for (int power = y.first_power(); power <= y.last_power(); ++power) {
    write_y_step(out, y.place(std::pow(10, power)), "1e" + std::to_string(power));
  }
  write_titles(out, chart.title, chart.y_label);
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
  std::vector<std::pair<double, std::size_t>> ends;  // Where lines end, from the top.
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const ChartLine& line = chart.lines[i];
    if (line.points.empty()) continue;
    out << "<polyline fill='none' stroke-width='2' stroke='" << colour_of(i) << "' points='";
    for (const auto& [over, figure] : line.points) {
      out << x.place(over) << ',' << y.place(figure) << ' ';
    }
    out << "'/>\n";
    ends.emplace_back(y.place(line.points.back().second), i);
  }
  std::sort(ends.begin(), ends.end());
  double last = 0;
  for (const auto& [end, i] : ends) {
    last = std::max(end, last + kLineHeight);
    write_text(out, x.place(chart.lines[i].points.back().first) + 6, last + 4, "start",
               chart.lines[i].name, colour_of(i));
  }
}

// Of the lines across, five to ten: 1, 2 or 5 times a power of ten.
double step_of(double most) {
  const double power = std::pow(10, std::floor(std::log10(most)));
  return most < 2 * power ? power / 5 : most < 5 * power ? power / 2 : power;
}

void write_bar_name(std::ostream& out, double middle, std::string name) {
  double y = kHeight - kBottom + 15;
  for (std::size_t end = 0; end != name.npos; y += kLineHeight) {
    end = name.find(" +", 1);
    write_text(out, middle, y, "middle", name.substr(0, end));
    if (end != name.npos) name.erase(0, end + 1);
  }
}

void write_chart(std::ostream& out, const BarChart& chart) {
  double most = 0;
  for (const ChartBar& bar : chart.bars) {
    most = std::max(most, std::reduce(bar.figures.begin(), bar.figures.end()));
  }
  if (most == 0) most = 1;
  const double step = step_of(most);
  const auto place = [&](double figure) {
    return kHeight - kBottom - (kHeight - kBottom - kTop) * figure / most;
  };
  for (int i = 0; i * step <= most; ++i) {
    std::ostringstream text;
    text << i * step;
    write_y_step(out, place(i * step), text.str());
  }
  write_titles(out, chart.title, chart.y_label);
  const double room = (kWidth - kRight - kLeft) / static_cast<double>(chart.bars.size());
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const double left = kLeft + room * (static_cast<double>(i) + 0.2);
    double below = 0;
    for (std::size_t part = 0; part < chart.parts.size(); ++part) {
      const double above = below + chart.bars[i].figures[part];
      out << "<rect x='" << left << "' y='" << place(above) << "' width='" << 0.6 * room
          << "' height='" << place(below) - place(above) << "' fill='" << colour_of(part)
          << "'/>\n";
      below = above;
    }
    write_bar_name(out, left + 0.3 * room, chart.bars[i].name);
  }
  for (std::size_t part = 0; part < chart.parts.size(); ++part) {
    write_text(out, kWidth - kRight + 6,
               kTop + 4 + kLineHeight * static_cast<double>(chart.parts.size() - part), "start",
               chart.parts[part], colour_of(part));
  }
}

}  // namespace

void write_charts(const std::string& path, const std::vector<Chart>& charts) {
  std::ofstream out(path);
  out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << kWidth << "' height='"
      << kHeight * static_cast<double>(charts.size())
      << "' font-family='sans-serif' font-size='12'>\n<rect width='100%' height='100%' "
         "fill='white'/>\n";
  for (std::size_t i = 0; i < charts.size(); ++i) {
    out << "<g transform='translate(0 " << kHeight * static_cast<double>(i) << ")'>\n";
    std::visit([&](const auto& chart) { write_chart(out, chart); }, charts[i]);
    out << "</g>\n";
  }
  out << "</svg>\n";
  if (!out.flush()) throw Error(ErrorCode::kIo, "cannot write " + path);
}

}  // namespace millrace::tools
