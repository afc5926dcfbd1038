// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/axis.h>
#include <millrace/tools/report/chart/drawing.h>
#include <millrace/tools/report/chart/number_text.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>

namespace millrace::tools {
namespace {

constexpr double kLanesLeft = 12;
constexpr double kLanesRight = kChartWidth - 22;
constexpr double kLaneHeight = 13;
constexpr double kLeastWidth = 0.5;  // Smallest width of a drawn span, in pixels.

double end_of(const LaneChart& chart) {
  double end = 0;
  for (const ChartLane& lane : chart.lanes) {
    for (const ChartSpan& span : lane.spans) end = std::max(end, span.end);
  }
  return end;
}

void draw_spans(XmlWriter& out, const ChartLane& lane, std::size_t index, const Axis& axis,
                double y) {
  for (const ChartSpan& span : lane.spans) {
    const double x = axis.position(span.begin);
    out.open("rect", {{"class", series_class(index, "span")},
                      {"x", x},
                      {"y", y},
                      {"width", std::max(axis.position(span.end) - x, kLeastWidth)},
                      {"height", kLaneHeight}});
    out.element("title", {},
                lane.name + ", " + span.name + ": " + quantity_text(span.end - span.begin, "s") +
                    " from " + quantity_text(span.begin, "s"));
    out.close();
  }
}

std::string description_of(const LaneChart& chart) {
  std::string text = "Lanes of what ran when, within " + quantity_text(end_of(chart), "s") + ".";
  for (const ChartLane& lane : chart.lanes) {
    text += " " + lane.name + ": " + std::to_string(lane.spans.size()) + " spans.";
  }
  return text;
}

}  // namespace

Drawing drawing_of(const LaneChart& chart) {
  std::ostringstream body;
  XmlWriter out(body);
  const double top = write_head(out, chart.title, chart.x_label) - 8;
  const double step = kLineHeight + kLaneHeight + 4;
  const double bottom = top + step * static_cast<double>(chart.lanes.size()) + 4;
  const Axis axis = Axis::exact(end_of(chart), kLanesLeft, kLanesRight);
  write_horizontal_axis(out, axis, top, bottom, "s");
  double y = top + kLineHeight;
  for (std::size_t i = 0; i < chart.lanes.size(); ++i) {
    out.element("text", {{"class", "name"}, {"x", kLanesLeft}, {"y", y - 3}}, chart.lanes[i].name);
    draw_spans(out, chart.lanes[i], i, axis, y + 1);
    y += step;
  }
  return {body.str(), bottom + 26, description_of(chart)};
}

}  // namespace millrace::tools
