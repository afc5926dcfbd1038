// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/auto_ratio.h>
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/sections/auto_summary.h>
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

std::vector<std::string> row_of(const std::string& device, const AutoRatio& ratio) {
  return {work_of(ratio),
          device,
          ratio.best->policy,
          ratio_text(ratio.ratio.median),
          ratio_text(ratio.ratio.low) + " to " + ratio_text(ratio.ratio.high),
          ratio.again_ratio ? ratio_text(*ratio.again_ratio) : "",
          ratio.first_ratio ? ratio_text(*ratio.first_ratio) : ""};
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
  section.blocks.emplace_back(auto_summary_table(merged, ratios));
  section.blocks.emplace_back(table_of(merged, ratios));
  return section;
}

}  // namespace millrace::tools
