// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/chart.h>
#include <millrace/tools/report/chart/chart_colours.h>

#include <string>

namespace millrace::tools {
namespace {

constexpr const char* kRules =
    R"(.chart{display:block;width:100%;height:auto;background:var(--paper);font:13px system-ui,sans-serif}
.chart text{fill:var(--ink)}
.chart .muted{fill:var(--muted)}
.chart .title{font-weight:600;font-size:14px}
.chart .note{font-weight:600;font-size:11px}
.chart .grid{stroke:var(--grid)}
.chart .reference{stroke:var(--ink);stroke-width:1.5}
.chart .mark{stroke:var(--ink);stroke-dasharray:2 3}
.chart .line{fill:none;stroke:var(--c);stroke-width:2}
.chart .d1 .line{stroke-dasharray:7 3}
.chart .d2 .line{stroke-dasharray:2 2.5}
.chart .d3 .line{stroke-dasharray:9 3 2 3}
.chart .marker{fill:var(--c);stroke:var(--paper);stroke-width:.8}
.chart .interval{fill:none;stroke:var(--c);stroke-width:1.5}
.chart .bar{fill:var(--c);stroke:var(--paper);stroke-width:.6}
.chart .whisker{fill:none;stroke:var(--ink);stroke-width:1.5}
.chart .span{fill:var(--c);stroke:var(--paper);stroke-width:.3}
.chart .value{visibility:hidden;font-size:11px;paint-order:stroke;stroke:var(--paper);stroke-width:3px}
.chart .frame{fill:none;stroke:none;pointer-events:all}
.chart .series:focus{outline:none}
.chart .series:focus .frame{stroke:var(--ink);stroke-width:1.5}
.chart .series:focus .value,.chart .series:hover .value{visibility:visible}
.chart:has(.series:focus) .series:not(:focus){opacity:.3}
)";

std::string properties(const ChartColours& colours) {
  std::string text = std::string(":root{--paper:") + colours.paper + ";--ink:" + colours.ink +
                     ";--muted:" + colours.muted + ";--grid:" + colours.grid;
  for (std::size_t i = 0; i < kChartColours; ++i) {
    text += ";--c" + std::to_string(i) + ":" + colours.lines[i];
  }
  return text + "}\n";
}

}  // namespace

std::string chart_style() {
  std::string text = properties(kLightColours);
  text += "@media screen and (prefers-color-scheme:dark){" + properties(kDarkColours) + "}\n";
  text += kRules;
  for (std::size_t i = 0; i < kChartColours; ++i) {
    text += ".chart .s" + std::to_string(i) + "{--c:var(--c" + std::to_string(i) + ")}\n";
  }
  return text;
}

}  // namespace millrace::tools
