// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/axis.h>
#include <millrace/tools/report/chart/drawing.h>
#include <millrace/tools/report/chart/number_text.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

constexpr double kCascadeHeight = 200;

std::size_t platform_count(const CascadeChart& chart) {
  std::size_t count = 0;
  for (const CascadeLine& line : chart.lines) count = std::max(count, line.efficiencies.size());
  return count;
}

// Returns the efficiencies before the first 0.
std::vector<double> supported(const CascadeLine& line) {
  const auto end = std::ranges::find(line.efficiencies, 0.0);
  return {line.efficiencies.begin(), end};
}

std::string name_of(const CascadeLine& line) {
  return line.name + ", PP " + ratio_text(line.portability);
}

std::string description_of(const CascadeLine& line) {
  std::string text = name_of(line) + ":";
  for (const double each : supported(line)) text += " " + ratio_text(each);
  return text;
}

class CascadeDrawing {
 public:
  CascadeDrawing(const CascadeChart& chart, std::ostream& body)
      : chart_(chart),
        out_(body),
        platforms_(platform_count(chart)),
        top_(write_head(out_, chart.title, chart.y_label) - 4),
        bottom_(top_ + kCascadeHeight),
        y_(Axis::exact(1, bottom_, top_)) {}

  // Returns the height.
  double draw() {
    draw_axes();
    double y = bottom_ + 2 * kLineHeight + 14;
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      const CascadeLine& line = chart_.lines[i];
      y = write_series(out_, i, y, {.name = name_of(line), .description = description_of(line)},
                       [&] { draw_points(i); });
    }
    return y - kLineHeight + 8;
  }

 private:
  // Platforms are as far from each other as the first and the last are from the sides, twice.
  double x_of(std::size_t platform) const {
    return kPlotLeft + (kPlotRight - kPlotLeft) * (static_cast<double>(platform) + 0.5) /
                           static_cast<double>(std::max<std::size_t>(platforms_, 1));
  }

  void draw_axes() {
    write_vertical_axis(out_, y_, kPlotLeft, kPlotRight);
    constexpr std::size_t kMostNumbers = 12;
    const std::size_t stride = (platforms_ + kMostNumbers - 1) / kMostNumbers;
    for (std::size_t i = 0; i < platforms_; ++i) {
      const double x = x_of(i);
      out_.empty("line", {{"class", "grid"}, {"x1", x}, {"x2", x}, {"y1", top_}, {"y2", bottom_}});
      if (i % stride != 0) continue;
      out_.element("text",
                   {{"class", "muted"}, {"x", x}, {"y", bottom_ + 16}, {"text-anchor", "middle"}},
                   std::to_string(i + 1));
    }
    out_.element(
        "text",
        {{"class", "muted"}, {"x", kPlotRight}, {"y", bottom_ + 33}, {"text-anchor", "end"}},
        chart_.x_label);
  }

  void draw_points(std::size_t index) {
    const std::vector<double> efficiencies = supported(chart_.lines[index]);
    std::string path;
    for (std::size_t i = 0; i < efficiencies.size(); ++i) {
      path += (path.empty() ? "M" : "L") + xml_number(x_of(i)) + "," +
              xml_number(y_.position(efficiencies[i]));
    }
    if (!path.empty()) out_.empty("path", {{"class", "line"}, {"d", path}});
    for (std::size_t i = 0; i < efficiencies.size(); ++i) {
      out_.open("g", {{"class", "point"}});
      out_.element("title", {},
                   chart_.lines[index].name + ": " + ratio_text(efficiencies[i]) + " at " +
                       std::to_string(i + 1));
      write_marker(out_, index, x_of(i), y_.position(efficiencies[i]));
      out_.close();
    }
  }

  const CascadeChart& chart_;
  XmlWriter out_;
  std::size_t platforms_;
  double top_;
  double bottom_;
  Axis y_;
};

}  // namespace

Drawing drawing_of(const CascadeChart& chart) {
  std::ostringstream body;
  const double height = CascadeDrawing(chart, body).draw();
  std::string description = chart.y_label + " on each application's best platforms, of " +
                            std::to_string(platform_count(chart)) + ".";
  for (const CascadeLine& line : chart.lines) description += " " + description_of(line) + ".";
  return {body.str(), height, description};
}

}  // namespace millrace::tools
