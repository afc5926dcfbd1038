// SPDX-License-Identifier: Apache-2.0

// Where one contender becomes faster than another as inputs grow.
#ifndef MILLRACE_TOOLS_REPORT_ANALYSIS_CROSSOVER_H_
#define MILLRACE_TOOLS_REPORT_ANALYSIS_CROSSOVER_H_

#include <cstdint>
#include <string>
#include <vector>

#include <millrace/tools/report/analysis/curve.h>

namespace millrace::tools {

// Below, `before` is faster, and above `after`: at both sizes their intervals, of six runs or more,
// are apart, so chance alone does not make it. `size` between them is interpolated.
struct Crossover {
  std::string before;
  std::string after;
  std::uint64_t below = 0;
  std::uint64_t above = 0;
  double size = 0;
};

// Of two curves of one device, by ascending size. Between two sizes the ratio of medians counts as
// a straight line, both in logarithms. Sizes of 0 are left out.
std::vector<Crossover> crossovers_of(const Curve& a, const Curve& b);

// Of all pairs of curves each of which is the fastest somewhere; `auto` is left out where other
// policies of the same peer and strategy, of which it is one, are there.
std::vector<Crossover> crossovers_of(const std::vector<Curve>& curves);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_ANALYSIS_CROSSOVER_H_
