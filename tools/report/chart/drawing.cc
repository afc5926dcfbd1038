// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/chart_colours.h>
#include <millrace/tools/report/chart/drawing.h>
#include <millrace/tools/report/chart/number_text.h>

#include <algorithm>
#include <iterator>
#include <sstream>

namespace millrace::tools {
namespace {

constexpr double kLetterWidth = 6.9;  // Upper bound of the mean width of a letter of 13 pixels.
constexpr double kBoldWidth = 1.22;   // Width of a title's letters relative to those.
constexpr double kTop = 18;           // Coordinate of the first line of text, in pixels.

// Around the origin, within kMarkerSize.
const char* const kMarkers[] = {
    "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
    "M-3.6,-3.6h7.2v7.2h-7.2z",
    "M0,-4.6L4.5,3.4h-9z",
    "M0,-5L4.4,0L0,5L-4.4,0z",
    "M0,4.6L4.5,-3.4h-9z",
    "M-1.5,-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    "M-4.5,-2.6L-2.6,-4.5L0,-1.9L2.6,-4.5L4.5,-2.6L1.9,0L4.5,2.6L2.6,4.5L0,1.9L-2.6,4.5L-4.5,2.6z",
    "M-5,-2h10v4h-10z",
};

// Past the last colour, each colour comes with the next marker.
std::size_t marker_of(std::size_t index) {
  return (index + index / kChartColours) % std::size(kMarkers);
}

struct AxisText {
  double x;
  std::string text;

  double half_width() const { return kLetterWidth * static_cast<double>(text.size()) / 2; }
};

// Every so manyth can be written without touching the next.
std::size_t least_stride(const std::vector<AxisText>& texts) {
  for (std::size_t stride = 1; stride < texts.size(); ++stride) {
    bool is_free = true;
    for (std::size_t i = stride; i < texts.size(); i += stride) {
      const AxisText& last = texts[i - stride];
      is_free =
          is_free && texts[i].x - texts[i].half_width() > last.x + last.half_width() + kLetterWidth;
    }
    if (is_free) return stride;
  }
  return std::max<std::size_t>(texts.size(), 1);
}

// Writes a sample of the line beside its name, in a frame; returns where the next name is.
double write_series_name(XmlWriter& out, std::size_t index, double y, const std::string& name) {
  constexpr double kBegin = 8;
  constexpr double kEnd = kSeriesNameX - 8;
  out.empty("path", {{"class", "line"},
                     {"d", "M" + XmlValue(kBegin).text() + "," + XmlValue(y - 4).text() + "H" +
                               XmlValue(kEnd).text()}});
  write_marker(out, index, (kBegin + kEnd) / 2, y - 4);
  const double end = write_lines(out, kSeriesNameX, y, kChartWidth - kSeriesNameX, "name", name);
  out.empty("rect", {{"class", "frame"},
                     {"x", 2.0},
                     {"y", y - 14},
                     {"width", kChartWidth - 4},
                     {"height", end - y + 1},
                     {"rx", 3.0}});
  return end;
}

}  // namespace

std::string series_class(std::size_t index, const char* kind) {
  return std::string(kind) + " s" + std::to_string(index % kChartColours) + " d" +
         std::to_string((index + index / kChartColours) % 4);
}

void write_marker(XmlWriter& out, std::size_t index, double x, double y) {
  out.empty("path",
            {{"class", "marker"},
             {"transform", "translate(" + XmlValue(x).text() + " " + XmlValue(y).text() + ")"},
             {"d", kMarkers[marker_of(index)]}});
}

void write_horizontal_axis(XmlWriter& out, const Axis& axis, double top, double bottom,
                           const std::string& unit) {
  std::vector<AxisText> texts;
  for (const double tick : axis.ticks()) {
    texts.push_back(
        {axis.position(tick), unit.empty() ? tick_text(tick) : quantity_text(tick, unit)});
  }
  const std::size_t stride = least_stride(texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const double x = texts[i].x;
    out.empty("line", {{"class", "grid"}, {"x1", x}, {"x2", x}, {"y1", top}, {"y2", bottom}});
    if (i % stride != 0) continue;
    out.element("text",
                {{"class", "muted"}, {"x", x}, {"y", bottom + 16}, {"text-anchor", "middle"}},
                texts[i].text);
  }
}

void write_vertical_axis(XmlWriter& out, const Axis& axis, double left, double right) {
  for (const double tick : axis.ticks()) {
    const double y = axis.position(tick);
    out.empty("line", {{"class", "grid"}, {"x1", left}, {"x2", right}, {"y1", y}, {"y2", y}});
    out.element("text", {{"class", "muted"}, {"x", left - 6}, {"y", y + 4}, {"text-anchor", "end"}},
                tick_text(tick));
  }
}

std::vector<std::string> wrapped(const std::string& text, double width) {
  const auto most = static_cast<std::size_t>(width / kLetterWidth);
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (lines.empty() || lines.back().size() + 1 + word.size() > most) {
      lines.push_back(word);
    } else {
      lines.back() += " " + word;
    }
  }
  return lines;
}

double write_lines(XmlWriter& out, double x, double y, double width, const char* css_class,
                   const std::string& text) {
  for (const std::string& line : wrapped(text, width)) {
    out.element("text", {{"class", css_class}, {"x", x}, {"y", y}}, line);
    y += kLineHeight;
  }
  return y;
}

double write_series(XmlWriter& out, std::size_t index, double y, const SeriesText& text,
                    const std::function<void()>& draw_points) {
  out.open("g", {{"class", series_class(index, "series")},
                 {"tabindex", "0"},
                 {"role", "img"},
                 {"aria-label", text.description}});
  draw_points();
  const double end = write_series_name(out, index, y, text.name);
  out.close();
  return end;
}

double write_head(XmlWriter& out, const std::string& title, const std::string& label) {
  const double y = write_lines(out, 4, kTop, (kChartWidth - 8) / kBoldWidth, "title", title);
  return write_lines(out, 4, y, kChartWidth - 8, "muted", label);
}

}  // namespace millrace::tools
