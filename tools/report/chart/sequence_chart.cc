// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/axis.h>
#include <millrace/tools/report/chart/drawing.h>
#include <millrace/tools/report/chart/number_text.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

constexpr double kSequenceHeight = 150;
constexpr double kSwatch = 32;

std::size_t item_count(const SequenceChart& chart) {
  std::size_t count = 0;
  for (const ChartSeries& series : chart.series) count = std::max(count, series.figures.size());
  return count;
}

double figure_of(const ChartSeries& series, std::size_t item) {
  return item < series.figures.size() ? series.figures[item] : 0;
}

double most_of(const SequenceChart& chart) {
  double most = 0;
  for (std::size_t item = 0; item < item_count(chart); ++item) {
    double sum = 0;
    for (const ChartSeries& series : chart.series) {
      const double figure = figure_of(series, item);
      sum = chart.is_stacked ? sum + figure : std::max(sum, figure);
    }
    most = std::max(most, sum);
  }
  return most;
}

class SequenceDrawing {
 public:
  SequenceDrawing(const SequenceChart& chart, std::ostream& body)
      : chart_(chart),
        out_(body),
        items_(item_count(chart)),
        top_(write_head(out_, chart.title, chart.y_label) - 4),
        bottom_(top_ + kSequenceHeight),
        x_(Axis::exact(static_cast<double>(items_), kPlotLeft, kPlotRight)),
        y_(Axis::linear(most_of(chart), bottom_, top_)) {}

  // Returns the height.
  double draw() {
    draw_axes();
    std::vector<double> below(items_, 0.0);
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      if (chart_.is_stacked) {
        draw_columns(i, below);
      } else {
        draw_line(i);
      }
    }
    double y = bottom_ + 2 * kLineHeight + 14;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) y = draw_name(i, y);
    return y - kLineHeight + 14;
  }

 private:
  void draw_axes() {
    write_horizontal_axis(out_, x_, top_, bottom_);
    write_vertical_axis(out_, y_, kPlotLeft, kPlotRight);
    out_.element(
        "text",
        {{"class", "muted"}, {"x", kPlotRight}, {"y", bottom_ + 33}, {"text-anchor", "end"}},
        chart_.x_label);
  }

  double left_of(std::size_t item) const { return x_.position(static_cast<double>(item)); }

  // The series' columns as one outline: their tops to the right, and back along the series below.
  void draw_columns(std::size_t index, std::vector<double>& below) {
    if (items_ == 0) return;
    std::vector<double> above = below;
    std::string path = "M" + xml_number(left_of(0)) + "," + xml_number(y_.position(below[0]));
    for (std::size_t item = 0; item < items_; ++item) {
      above[item] += figure_of(chart_.series[index], item);
      path += "V" + xml_number(y_.position(above[item])) + "H" + xml_number(left_of(item + 1));
    }
    for (std::size_t item = items_; item-- > 0;) {
      path += "V" + xml_number(y_.position(below[item])) + "H" + xml_number(left_of(item));
    }
    out_.empty("path", {{"class", series_class(index, "bar")}, {"d", path + "z"}});
    below = std::move(above);
  }

  // A line through the middles of the items.
  void draw_line(std::size_t index) {
    std::string path;
    for (std::size_t item = 0; item < items_; ++item) {
      path += (path.empty() ? "M" : "L") + xml_number((left_of(item) + left_of(item + 1)) / 2) +
              "," + xml_number(y_.position(figure_of(chart_.series[index], item)));
    }
    if (path.empty()) return;
    out_.open("g", {{"class", series_class(index, "series")}});
    out_.empty("path", {{"class", "line"}, {"d", path}});
    out_.close();
  }

  double draw_name(std::size_t index, double y) {
    if (chart_.is_stacked) {
      out_.empty("rect", {{"class", series_class(index, "bar")},
                          {"x", 8.0},
                          {"y", y - 11},
                          {"width", 24.0},
                          {"height", 12.0}});
    } else {
      out_.open("g", {{"class", series_class(index, "series")}});
      out_.empty("path",
                 {{"class", "line"}, {"d", "M8," + xml_number(y - 4) + "H" + xml_number(kSwatch)}});
      out_.close();
    }
    return write_lines(out_, kSwatch + 8, y, kChartWidth - kSwatch - 8, "name",
                       chart_.series[index].name);
  }

  const SequenceChart& chart_;
  XmlWriter out_;
  std::size_t items_;
  double top_;
  double bottom_;
  Axis x_;
  Axis y_;
};

std::string description_of(const SequenceChart& chart) {
  std::string text = chart.y_label + " of " + std::to_string(item_count(chart)) + " items by " +
                     chart.x_label + ".";
  for (const ChartSeries& series : chart.series) {
    if (series.figures.empty()) continue;
    const auto [least, most] = std::minmax_element(series.figures.begin(), series.figures.end());
    text += " " + series.name + ": from " + si_text(*least) + " to " + si_text(*most) + ".";
  }
  return text;
}

}  // namespace

Drawing drawing_of(const SequenceChart& chart) {
  std::ostringstream body;
  const double height = SequenceDrawing(chart, body).draw();
  return {body.str(), height, description_of(chart)};
}

}  // namespace millrace::tools
