// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/sections/auto_summary.h>

#include <algorithm>
#include <optional>
#include <string>

namespace millrace::tools {
namespace {

std::string percent_text(double fraction) { return quantity_text(100 * fraction, "%"); }

std::vector<std::string> summary_row(const std::string& device, const std::string& what,
                                     const RatioSummary& summary) {
  return {device,
          what,
          std::to_string(summary.count),
          ratio_text(summary.median),
          percent_text(summary.close_fraction),
          percent_text(summary.near_fraction),
          ratio_text(summary.worst)};
}

// Returns the run under `auto` of the configuration with the greatest of these ratios.
const Measurement& worst_by(const std::vector<AutoRatio>& ratios,
                            std::optional<double> AutoRatio::*ratio) {
  return *std::ranges::max_element(ratios, {}, ratio)->automatic;
}

void add_rows(const std::string& device, const std::vector<AutoRatio>& ratios, Table& table,
              const RunColumn& run_column) {
  const AutoSummary summary = summarize(ratios);
  add_row(table, summary_row(device, "auto", summary.automatic), *summary.worst->automatic,
          run_column);
  if (summary.again) {
    add_row(table, summary_row(device, "best again", *summary.again),
            worst_by(ratios, &AutoRatio::again_ratio), run_column);
  }
  if (summary.first) {
    add_row(table, summary_row(device, "auto's first run", *summary.first),
            worst_by(ratios, &AutoRatio::first_ratio), run_column);
  }
}

}  // namespace

Table auto_summary_table(const MergedResults& merged, const std::vector<AutoRatio>& ratios,
                         const RunColumn& run_column) {
  Table table{"Time under auto to the time under the best fixed policy",
              {{"Device"},
               {"What ran"},
               {"Configurations", true},
               {"Median", true},
               {"Within 5 %", true},
               {"Within 50 %", true},
               {"Worst", true}},
              {}};
  add_run_column(table, run_column);
  std::vector<Platform> platforms;
  for (const AutoRatio& each : ratios) {
    if (std::ranges::find(platforms, each.platform) == platforms.end()) {
      platforms.push_back(each.platform);
    }
  }
  for (const Platform& platform : platforms) {
    std::vector<AutoRatio> there = ratios;
    std::erase_if(there, [&](const AutoRatio& each) { return !(each.platform == platform); });
    add_rows(name_of(merged, platform), there, table, run_column);
  }
  if (platforms.size() > 1) add_rows("all", ratios, table, run_column);
  return table;
}

}  // namespace millrace::tools
