// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/sections/figures.h>

#include <utility>

namespace millrace::tools {
namespace {

// The points of the largest size that each curve has a figure for.
template <class HasFigure>
std::vector<std::pair<std::string, const Measurement*>> largest(
    const std::vector<NamedCurve>& curves, const HasFigure& has_figure) {
  std::vector<std::pair<std::string, const Measurement*>> found;
  for (const auto& [name, curve] : curves) {
    const Measurement* last = nullptr;
    for (const Measurement* point : curve.points) {
      if (has_figure(*point)) last = point;
    }
    if (last != nullptr) found.emplace_back(name, last);
  }
  return found;
}

std::string size_text(const Measurement& point) { return si_text(static_cast<double>(point.size)); }

}  // namespace

std::vector<Figure> limit_figures(const std::string& title, const std::vector<NamedCurve>& curves) {
  BarChart chart{title, "%", {"fraction of the limit"}, {}};
  Table table{
      "Figures of: " + title, {{"Contender"}, {"Size", true}, {"Limit"}, {"Reached", true}}, {}};
  const auto has_figure = [](const Measurement& point) { return point.limit_fraction.has_value(); };
  for (const auto& [name, point] : largest(curves, has_figure)) {
    const double percent = 100 * *point->limit_fraction;
    chart.bars.push_back({name + ", size " + size_text(*point) + ", of " + point->limit,
                          {percent},
                          percent * point->median_seconds / point->high_seconds,
                          percent * point->median_seconds / point->low_seconds});
    table.rows.push_back(
        {name, std::to_string(point->size), point->limit, quantity_text(percent, "%")});
  }
  if (chart.bars.empty()) return {};
  return {{std::move(chart),
           "Of what the device could do by a limit measured in the same run; 100 % is that limit.",
           std::move(table)}};
}

std::vector<Figure> energy_figures(const std::string& title,
                                   const std::vector<NamedCurve>& curves) {
  BarChart chart{title, "J", {"energy of an item"}, {}};
  Table table{"Figures of: " + title,
              {{"Contender"}, {"Size", true}, {"Energy of a run", true}, {"Of an item", true}},
              {}};
  const auto has_figure = [](const Measurement& point) {
    return point.joules.has_value() && point.items > 0;
  };
  for (const auto& [name, point] : largest(curves, has_figure)) {
    const double joules = *point->joules / point->items;
    chart.bars.push_back({name + ", size " + size_text(*point), {joules}});
    table.rows.push_back({name, std::to_string(point->size), quantity_text(*point->joules, "J"),
                          quantity_text(joules, "J")});
  }
  if (chart.bars.empty()) return {};
  return {{std::move(chart),
           "Energy per item, by the vendor's counters around the runs; shorter is better.",
           std::move(table)}};
}

std::vector<Figure> speed_up_figures(const std::string& title, const std::string& base_name,
                                     const Curve& base, const std::vector<NamedCurve>& curves) {
  LineChart chart{title, "size", "times as fast as " + base_name, {}};
  BarChart bars{title, "times", {"speed-up"}, {}};
  Table table{"Figures of: " + title,
              {{"Contender"}, {"Size", true}, {"Speed-up", true}, {"95 % interval", true}},
              {}};
  bool has_sizes = false;
  for (const auto& [name, curve] : curves) {
    ChartLine line{name, {}};
    for (const Measurement* point : curve.points) {
      const Measurement* other = base.at(point->size);
      if (other == nullptr || point->size == 0) continue;
      const double speed_up = other->median_seconds / point->median_seconds;
      const double low = other->low_seconds / point->high_seconds;
      const double high = other->high_seconds / point->low_seconds;
      line.points.push_back({static_cast<double>(point->size), speed_up, low, high});
      table.rows.push_back({name, std::to_string(point->size), ratio_text(speed_up),
                            ratio_text(low) + " to " + ratio_text(high)});
    }
    if (line.points.empty()) continue;
    has_sizes = has_sizes || line.points.size() > 1;
    const ChartPoint& last = line.points.back();
    bars.bars.push_back({name + ", size " + si_text(last.x), {last.y}, last.low, last.high});
    chart.lines.push_back(std::move(line));
  }
  if (chart.lines.empty()) return {};
  chart.reference = 1;
  const char* const caption =
      "Ratios of medians at equal sizes, with intervals of the ends of both. 1 is the baseline.";
  if (!has_sizes) return {{std::move(bars), caption, std::move(table)}};
  return {{std::move(chart), caption, std::move(table)}};
}

}  // namespace millrace::tools
