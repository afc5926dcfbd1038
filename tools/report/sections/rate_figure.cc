// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/sections/figures.h>

#include <algorithm>
#include <set>

namespace millrace::tools {
namespace {

Table rate_table(const std::string& title, const std::vector<NamedCurve>& curves,
                 const std::string& unit, const RunColumn& run_column) {
  Table table{"Figures of: " + title,
              {{"Contender"},
               {"Size", true},
               {"Median, " + unit, true},
               {"95 % interval", true},
               {"Time", true},
               {"Runs", true},
               {"Of its limit", true}},
              {}};
  add_run_column(table, run_column);
  for (const auto& [name, curve] : curves) {
    for (const Measurement* point : curve.points) {
      const Rate rate = rate_of(*point);
      const std::string of_limit =
          point->limit_fraction ? ratio_text(100 * *point->limit_fraction) + " % of " + point->limit
                                : "";
      add_row(table,
              {name, std::to_string(point->size), si_text(rate.value),
               si_text(rate.low) + " to " + si_text(rate.high),
               quantity_text(point->median_seconds, "s"), std::to_string(point->seconds.size()),
               of_limit},
              *point, run_column);
    }
  }
  return table;
}

// True if the curves have at least two sizes, none of them 0, so that a line can be drawn.
bool has_sizes(const std::vector<NamedCurve>& curves) {
  std::set<std::uint64_t> sizes;
  for (const auto& each : curves) {
    for (const Measurement* point : each.curve.points) sizes.insert(point->size);
  }
  return sizes.size() > 1 && !sizes.contains(0);
}

LineChart line_chart(const std::string& title, const std::vector<NamedCurve>& curves,
                     const Measurement& any, const std::vector<Crossover>& crossovers) {
  LineChart chart{title, "size", rate_unit(any), {}};
  for (const auto& [name, curve] : curves) {
    ChartLine& line = chart.lines.emplace_back(ChartLine{name, {}});
    for (const Measurement* point : curve.points) {
      const Rate rate = rate_of(*point);
      line.points.push_back({static_cast<double>(point->size), rate.value, rate.low, rate.high});
    }
  }
  for (const Crossover& each : crossovers) {
    chart.marks.push_back(
        {each.size, each.after + " passes " + each.before + " at " + si_text(each.size, 2)});
  }
  return chart;
}

BarChart bar_chart(const std::string& title, const std::vector<NamedCurve>& curves,
                   const Measurement& any) {
  BarChart chart{title, rate_unit(any), {"rate"}, {}};
  for (const auto& [name, curve] : curves) {
    const Measurement& point = *curve.points.back();
    const Rate rate = rate_of(point);
    chart.bars.push_back({name + ", size " + si_text(static_cast<double>(point.size)),
                          {rate.value},
                          rate.low,
                          rate.high});
  }
  return chart;
}

}  // namespace

Figure rate_figure(const std::string& title, const std::vector<NamedCurve>& curves,
                   const std::vector<Crossover>& crossovers, const RunColumn& run_column) {
  const Measurement& any = *curves.front().curve.points.front();
  Table table = rate_table(title, curves, rate_unit(any), run_column);
  if (has_sizes(curves)) {
    return {line_chart(title, curves, any, crossovers), "", std::move(table)};
  }
  return {bar_chart(title, curves, any), "", std::move(table)};
}

}  // namespace millrace::tools
