// SPDX-License-Identifier: Apache-2.0

// The figures that JSON files of results and of targets may have.
#ifndef MILLRACE_TOOLS_REPORT_RESULTS_FIGURE_RANGE_H_
#define MILLRACE_TOOLS_REPORT_RESULTS_FIGURE_RANGE_H_

#include <nlohmann/json.hpp>

#include <string>

namespace millrace::tools {

// Between these, or 0, are figures: they can be divided by each other, and drawn.
inline constexpr double kLeastFigure = 1e-18;
inline constexpr double kMostFigure = 1e30;

// Returns the number as it is in a file.
inline std::string figure_text(double value) { return nlohmann::json(value).dump(); }

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_RESULTS_FIGURE_RANGE_H_
