// SPDX-License-Identifier: Apache-2.0

// Colours of charts, distinguished from each other and from the ground by people with any kind of
// colour vision, which a test computes.
#ifndef MILLRACE_TOOLS_REPORT_CHART_CHART_COLOURS_H_
#define MILLRACE_TOOLS_REPORT_CHART_CHART_COLOURS_H_

#include <array>
#include <cstddef>

namespace millrace::tools {

inline constexpr std::size_t kChartColours = 8;

// Text is in `ink` or `muted`, never in a line's colour.
struct ChartColours {
  const char* paper;
  const char* ink;
  const char* muted;
  const char* grid;
  std::array<const char*, kChartColours> lines;
};

// The first of each are Okabe's and Ito's ("Color universal design", 2008), the others fitted.
inline constexpr ChartColours kLightColours = {
    "#ffffff",
    "#1a1a1a",
    "#595959",
    "#dcdcdc",
    {"#0072b2", "#d55e00", "#332288", "#009e73", "#a33e70", "#5f5200", "#a97bf0", "#000000"}};
inline constexpr ChartColours kDarkColours = {
    "#16191d",
    "#ececec",
    "#a9b1ba",
    "#3a4048",
    {"#56b4e9", "#e69f00", "#f0e442", "#009e73", "#cc79a7", "#f5f5f5", "#d55e00", "#8080ff"}};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_CHART_CHART_COLOURS_H_
