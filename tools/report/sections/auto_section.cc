// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/auto_ratio.h>
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/sections/sections.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace millrace::tools {
namespace {

std::string work_of(const AutoRatio& ratio) {
  const std::string& strategy = ratio.automatic->strategy;
  return ratio.group->name() + (strategy.empty() ? "" : ", " + strategy) + ", size " +
         std::to_string(ratio.automatic->size);
}

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

void add_rows(const std::string& device, const std::vector<AutoRatio>& ratios, Table& table) {
  const AutoSummary summary = summarize(ratios);
  table.rows.push_back(summary_row(device, "auto", summary.automatic));
  if (summary.again) table.rows.push_back(summary_row(device, "best again", *summary.again));
  if (summary.first) table.rows.push_back(summary_row(device, "auto's first run", *summary.first));
}

std::vector<std::string> row_of(const std::string& device, const AutoRatio& ratio) {
  return {work_of(ratio),
          device,
          ratio.best->policy,
          ratio_text(ratio.ratio.median),
          ratio_text(ratio.ratio.low) + " to " + ratio_text(ratio.ratio.high),
          ratio.again_ratio ? ratio_text(*ratio.again_ratio) : "",
          ratio.first_ratio ? ratio_text(*ratio.first_ratio) : ""};
}

Table summary_table(const MergedResults& merged, const std::vector<AutoRatio>& ratios) {
  Table table{"Time under auto to the time under the best fixed policy",
              {{"Device"},
               {"What ran"},
               {"Configurations", true},
               {"Median", true},
               {"Within 5 %", true},
               {"Within 50 %", true},
               {"Worst", true}},
              {}};
  std::vector<Platform> platforms;
  for (const AutoRatio& each : ratios) {
    if (std::ranges::find(platforms, each.platform) == platforms.end()) {
      platforms.push_back(each.platform);
    }
  }
  for (const Platform& platform : platforms) {
    std::vector<AutoRatio> there = ratios;
    std::erase_if(there, [&](const AutoRatio& each) { return !(each.platform == platform); });
    add_rows(name_of(merged, platform), there, table);
  }
  if (platforms.size() > 1) add_rows("all", ratios, table);
  return table;
}

Table table_of(const MergedResults& merged, std::vector<AutoRatio> ratios) {
  Table table{"Each configuration, the worst first",
              {{"Work"},
               {"Device"},
               {"Best policy"},
               {"Auto to best", true},
               {"95 % interval", true},
               {"Best again to best", true},
               {"First run to best", true}},
              {}};
  std::ranges::stable_sort(ratios, std::greater<>(),
                           [](const AutoRatio& each) { return each.ratio.median; });
  for (const AutoRatio& each : ratios) {
    table.rows.push_back(row_of(name_of(merged, each.platform), each));
  }
  return table;
}

}  // namespace

Section auto_section(const MergedResults& merged, const std::vector<Group>& groups) {
  const std::vector<AutoRatio> ratios = auto_ratios(groups);
  if (ratios.empty()) return {};
  Section section{"The policy that chooses itself", {}, {}};
  section.blocks.emplace_back(
      std::in_place_type<Paragraph>,
      "Ratios are medians over the rounds, in each of which both ran. Auto is one of the fixed "
      "policies, so a ratio below 1 is chance. So is the ratio of the best policy run again.");
  section.blocks.emplace_back(summary_table(merged, ratios));
  section.blocks.emplace_back(table_of(merged, ratios));
  return section;
}

}  // namespace millrace::tools
