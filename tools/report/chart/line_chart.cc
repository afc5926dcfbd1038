// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/axis.h>
#include <millrace/tools/report/chart/drawing.h>
#include <millrace/tools/report/chart/number_text.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

constexpr double kLinesHeight = 230;
constexpr double kCap = 3;  // Half the width of the caps at an interval's ends, in pixels.

struct Range {
  double low = 0;
  double high = 0;

  void include(double value) {
    low = low == 0 ? value : std::min(low, value);
    high = std::max(high, value);
  }
};

Range range_of_x(const LineChart& chart) {
  Range range;
  for (const ChartLine& line : chart.lines) {
    for (const ChartPoint& point : line.points) range.include(point.x);
  }
  for (const ChartMark& mark : chart.marks) range.include(mark.x);
  return range.high > 0 ? range : Range{1, 10};
}

Range range_of_y(const LineChart& chart) {
  Range range;
  for (const ChartLine& line : chart.lines) {
    for (const ChartPoint& point : line.points) {
      range.include(point.y);
      if (point.high > 0) range.include(point.low), range.include(point.high);
    }
  }
  if (chart.reference > 0) range.include(chart.reference);
  return range.high > 0 ? range : Range{1, 10};
}

class LineDrawing {
 public:
  LineDrawing(const LineChart& chart, std::ostream& body)
      : chart_(chart),
        out_(body),
        top_(write_head(out_, chart.title, chart.y_label) - 4),
        bottom_(top_ + kLinesHeight),
        x_(Axis::logarithmic(range_of_x(chart).low, range_of_x(chart).high, kPlotLeft, kPlotRight)),
        y_(Axis::logarithmic(range_of_y(chart).low, range_of_y(chart).high, bottom_, top_)) {}

  // Returns the height.
  double draw() {
    draw_axes();
    double y = bottom_ + 2 * kLineHeight + 14;
    for (std::size_t i = 0; i < chart_.marks.size(); ++i) y = draw_mark(i, y);
    for (const std::size_t i : from_the_top()) {
      const ChartLine& line = chart_.lines[i];
      y = write_series(out_, i, y, {.name = line.name, .description = description_of(line)},
                       [&] { draw_points(i); });
    }
    return y - kLineHeight + 8;
  }

 private:
  void draw_axes() {
    write_horizontal_axis(out_, x_, top_, bottom_);
    write_vertical_axis(out_, y_, kPlotLeft, kPlotRight);
    if (chart_.reference > 0) {
      const double y = y_.position(chart_.reference);
      out_.empty(
          "line",
          {{"class", "reference"}, {"x1", kPlotLeft}, {"x2", kPlotRight}, {"y1", y}, {"y2", y}});
    }
    out_.element(
        "text",
        {{"class", "muted"}, {"x", kPlotRight}, {"y", bottom_ + 33}, {"text-anchor", "end"}},
        chart_.x_label);
  }

  double draw_mark(std::size_t index, double y) {
    const double x = x_.position(chart_.marks[index].x);
    const std::string number = std::to_string(index + 1);
    out_.empty("line", {{"class", "mark"}, {"x1", x}, {"x2", x}, {"y1", top_}, {"y2", bottom_}});
    out_.element("text", {{"class", "note"}, {"x", x + 3}, {"y", top_ + 11}}, number);
    out_.element("text", {{"class", "note"}, {"x", 26}, {"y", y}}, number);
    return write_lines(out_, kSeriesNameX, y, kChartWidth - kSeriesNameX, "muted",
                       chart_.marks[index].text);
  }

  // Lines with points, the one that ends highest first.
  std::vector<std::size_t> from_the_top() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      if (!chart_.lines[i].points.empty()) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return chart_.lines[a].points.back().y > chart_.lines[b].points.back().y;
    });
    return order;
  }

  void draw_points(std::size_t index) {
    std::string path;
    for (const ChartPoint& point : chart_.lines[index].points) {
      path += (path.empty() ? "M" : "L") + xml_number(x_.position(point.x)) + "," +
              xml_number(y_.position(point.y));
    }
    out_.empty("path", {{"class", "line"}, {"d", path}});
    for (const ChartPoint& point : chart_.lines[index].points) draw_point(index, point);
  }

  void draw_point(std::size_t index, const ChartPoint& point) {
    const double x = x_.position(point.x);
    const double y = y_.position(point.y);
    out_.open("g", {{"class", "point"}});
    out_.element("title", {},
                 chart_.lines[index].name + ": " + si_text(point.y) + " at " + si_text(point.x));
    if (point.high > 0) {
      const double low = y_.position(point.low);
      const double high = y_.position(point.high);
      out_.empty("path", {{"class", "interval"},
                          {"d", "M" + xml_number(x - kCap) + "," + xml_number(low) + "h6m-3,0V" +
                                    xml_number(high) + "m-3,0h6"}});
    }
    write_marker(out_, index, x, y);
    out_.element("text",
                 {{"class", "value"},
                  {"x", x},
                  {"y", y < top_ + 20 ? y + 18 : y - 9},
                  {"text-anchor", x > kPlotRight - 30 ? "end" : "middle"}},
                 si_text(point.y));
    out_.close();
  }

  std::string description_of(const ChartLine& line) const {
    std::string text = line.name + ":";
    for (const ChartPoint& point : line.points) {
      text += (&point == &line.points.front() ? " " : ", ") + si_text(point.y) + " at " +
              si_text(point.x);
    }
    return text;
  }

  const LineChart& chart_;
  XmlWriter out_;
  double top_;
  double bottom_;
  Axis x_;
  Axis y_;
};

std::string description_of(const LineChart& chart) {
  const Range x = range_of_x(chart);
  std::string text = chart.y_label + " over " + chart.x_label + " from " + si_text(x.low) + " to " +
                     si_text(x.high) + ", both logarithmic.";
  for (const ChartLine& line : chart.lines) {
    if (line.points.empty()) continue;
    text += " " + line.name + ": from " + si_text(line.points.front().y) + " to " +
            si_text(line.points.back().y) + ".";
  }
  return text;
}

}  // namespace

Drawing drawing_of(const LineChart& chart) {
  std::ostringstream body;
  const double height = LineDrawing(chart, body).draw();
  return {body.str(), height, description_of(chart)};
}

}  // namespace millrace::tools
