// SPDX-License-Identifier: Apache-2.0

// The figures of a group of measurements: rates, limits, energy and speed-ups.
#ifndef MILLRACE_TOOLS_REPORT_SECTIONS_FIGURES_H_
#define MILLRACE_TOOLS_REPORT_SECTIONS_FIGURES_H_

#include <millrace/tools/report/analysis/baseline.h>
#include <millrace/tools/report/analysis/crossover.h>
#include <millrace/tools/report/analysis/curve.h>
#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/sections/run_column.h>

#include <string>
#include <vector>

namespace millrace::tools {

// A curve under the name it has in a figure.
struct NamedCurve {
  std::string name;
  Curve curve;
};

// Rates of contenders: lines over sizes, with marks where one passes another, or bars where there
// is one size.
Figure rate_figure(const std::string& title, const std::vector<NamedCurve>& curves,
                   const std::vector<Crossover>& crossovers, const RunColumn& run_column = {});

// The fraction of its limit that each curve reached at its largest size; none where no limit is
// known.
std::vector<Figure> limit_figures(const std::string& title, const std::vector<NamedCurve>& curves);

// Energy of an item at each curve's largest size; none where it was not measured.
std::vector<Figure> energy_figures(const std::string& title, const std::vector<NamedCurve>& curves);

// Speed-ups of the curves over `base` at equal sizes; none if no sizes are equal.
std::vector<Figure> speed_up_figures(const std::string& title, const std::string& base_name,
                                     const Curve& base, const std::vector<NamedCurve>& curves);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_SECTIONS_FIGURES_H_
