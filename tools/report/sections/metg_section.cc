// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/curve.h>
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/efficiency/figure_of_merit.h>
#include <millrace/tools/report/sections/sections.h>

#include <string>
#include <utility>

namespace millrace::tools {

Section metg_section(const MergedResults& merged, const std::vector<Group>& groups,
                     const RunColumn& run_column) {
  Table table{
      "METG(50 %): the time of the smallest tasks that do half of the work a second that "
      "large ones do",
      {{"Pattern"},
       {"Device"},
       {"Contender"},
       {"Steps", true},
       {"METG", true},
       {"95 % interval", true},
       {"Runs", true}},
      {}};
  add_run_column(table, run_column);
  for (const Group& group : groups) {
    for (const Entry& entry : group.entries) {
      const Measurement& each = *entry.measurement;
      if (!is_metg(each) || each.status != MeasurementStatus::kOk) continue;
      add_row(
          table,
          {group.input, name_of(merged, entry.platform), contender_of(each),
           std::to_string(each.size), quantity_text(each.median_seconds, "s"),
           quantity_text(each.low_seconds, "s") + " to " + quantity_text(each.high_seconds, "s"),
           std::to_string(each.seconds.size())},
          each, run_column);
    }
  }
  Section section{"METG", {}, {}};
  if (table.rows.empty()) return section;
  section.blocks.emplace_back(
      Paragraph("The least time that a task may take without its scheduling taking more than half "
                "of the device: less is better. Graphs and kernel are those of Task Bench."));
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace millrace::tools
