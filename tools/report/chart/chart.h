// SPDX-License-Identifier: Apache-2.0

// Pictures of figures as SVG: lines over other figures, bars, lanes of what ran when, figures of
// items in a row, and cascades of efficiencies.
//
//   const LineChart chart{"Sorting", "keys", "keys/s",
//                         {{"tbb", {{1e3, 2e7}, {1e6, 9e7, 8.8e7, 9.1e7}}}}};
//   write_charts("sorting.svg", {chart});
//
// Lines are distinguished by colour, marker and dash, in colours that differ under each kind of
// colour vision; colours follow a viewer's light or dark scheme and are light in print.
#ifndef MILLRACE_TOOLS_REPORT_CHART_CHART_H_
#define MILLRACE_TOOLS_REPORT_CHART_CHART_H_

#include <millrace/tools/report/chart/kinds/bar_chart.h>
#include <millrace/tools/report/chart/kinds/cascade_chart.h>
#include <millrace/tools/report/chart/kinds/lane_chart.h>
#include <millrace/tools/report/chart/kinds/line_chart.h>
#include <millrace/tools/report/chart/kinds/sequence_chart.h>

#include <string>
#include <variant>
#include <vector>

namespace millrace::tools {

using Chart = std::variant<LineChart, BarChart, LaneChart, SequenceChart, CascadeChart>;

const std::string& title_of(const Chart& chart);

// An <svg> element for a page that has chart_style(): it scales to the width it is given. `id` is
// unique in the page. Lines can be reached by the keyboard, and then show their figures.
std::string chart_element(const Chart& chart, const std::string& id);

// CSS of colours and lines, by custom properties of the root element.
std::string chart_style();

// Charts one below the other, as a file of its own.
std::string charts_file(const std::vector<Chart>& charts);

// Writes such a file. Throws kIo where it cannot be written.
void write_charts(const std::string& path, const std::vector<Chart>& charts);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_CHART_CHART_H_
