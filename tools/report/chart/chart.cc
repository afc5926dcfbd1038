// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/report/chart/chart.h>
#include <millrace/tools/report/chart/drawing.h>
#include <millrace/tools/report/chart/xml_writer.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

namespace millrace::tools {
namespace {

constexpr const char* kNamespace = "http://www.w3.org/2000/svg";

Drawing drawn(const Chart& chart) {
  return std::visit([](const auto& each) { return drawing_of(each); }, chart);
}

std::string view_box(double height) {
  return "0 0 " + XmlValue(kChartWidth).text() + " " + XmlValue(height).text();
}

}  // namespace

const std::string& title_of(const Chart& chart) {
  return std::visit([](const auto& each) -> const std::string& { return each.title; }, chart);
}

std::string chart_element(const Chart& chart, const std::string& id) {
  const Drawing drawing = drawn(chart);
  std::ostringstream text;
  XmlWriter out(text);
  // Not an image as a whole: what is in it can be reached.
  out.open("svg", {{"class", "chart"},
                   {"viewBox", view_box(drawing.height)},
                   {"role", "group"},
                   {"aria-labelledby", id + "-title " + id + "-desc"}});
  out.element("title", {{"id", id + "-title"}}, title_of(chart));
  out.element("desc", {{"id", id + "-desc"}}, drawing.description);
  out.raw(drawing.body);
  out.close();
  return text.str();
}

std::string charts_file(const std::vector<Chart>& charts) {
  std::ostringstream body;
  XmlWriter inner(body);
  double height = 0;
  for (const Chart& chart : charts) {
    const Drawing drawing = drawn(chart);
    inner.open("g", {{"transform", "translate(0 " + XmlValue(height).text() + ")"}});
    inner.element("desc", {}, drawing.description);
    inner.raw(drawing.body);
    inner.close();
    height += drawing.height;
  }
  std::ostringstream text;
  XmlWriter out(text);
  out.open("svg", {{"xmlns", kNamespace},
                   {"class", "chart"},
                   {"viewBox", view_box(height)},
                   {"width", 1.5 * kChartWidth},
                   {"height", 1.5 * height},
                   {"role", "img"}});
  out.element("title", {}, charts.empty() ? "" : title_of(charts.front()));
  out.element("style", {}, chart_style());
  out.raw(body.str());
  out.close();
  return text.str();
}

void write_charts(const std::string& path, const std::vector<Chart>& charts) {
  const std::string text = charts_file(charts);
  errno = 0;
  std::ofstream out(path);
  out << text;
  if (out.flush()) return;
  throw Error(ErrorCode::kIo,
              "cannot write " + path + ": " + std::generic_category().message(errno));
}

}  // namespace millrace::tools
