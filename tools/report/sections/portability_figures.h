// SPDX-License-Identifier: Apache-2.0

// Cascade plots of performance portability.
#ifndef MILLRACE_TOOLS_REPORT_SECTIONS_PORTABILITY_FIGURES_H_
#define MILLRACE_TOOLS_REPORT_SECTIONS_PORTABILITY_FIGURES_H_

#include <millrace/tools/report/efficiency/portability.h>
#include <millrace/tools/report/page/document.h>

#include <string>
#include <vector>

namespace millrace::tools {

// A line for Millrace's best contender of each problem that has two platforms or more: its
// architectural efficiencies where limits are known on all, or, if that is so for no problem, its
// application efficiencies. None if there is no such problem.
std::vector<Figure> best_cascade_figures(const std::vector<const PortabilityProblem*>& problems);

// A line for each of the problem's applications, the most portable first; none if it has one
// platform.
std::vector<Figure> cascade_figures(const PortabilityProblem& problem);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_SECTIONS_PORTABILITY_FIGURES_H_
