// SPDX-License-Identifier: Apache-2.0

// Finds the input sizes from which one contender is faster than another.
#ifndef MILLRACE_TOOLS_REPORT_ANALYSIS_CROSSOVER_H_
#define MILLRACE_TOOLS_REPORT_ANALYSIS_CROSSOVER_H_

#include <millrace/tools/report/analysis/curve.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

// Below, `before` is faster, and above `after`: at both sizes their intervals, of six runs or more,
// are disjoint, so chance alone does not make it. `size` between them is interpolated.
struct Crossover {
  std::string before;
  std::string after;
  std::uint64_t below = 0;
  std::uint64_t above = 0;
  double size = 0;
};

// Returns the crossovers of two curves of one device, by ascending size. Between two sizes the
// logarithm of the ratio of medians is interpolated linearly over the logarithm of the size. Sizes
// of 0 are left out.
std::vector<Crossover> crossovers_of(const Curve& a, const Curve& b);

// Returns the crossovers of all pairs of curves that are each the fastest at some size. `auto` is
// left out if other policies of the same peer and strategy are there, because it is one of them.
std::vector<Crossover> crossovers_of(const std::vector<Curve>& curves);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_ANALYSIS_CROSSOVER_H_
