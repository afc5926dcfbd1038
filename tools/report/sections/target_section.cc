// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/sections/sections.h>
#include <millrace/tools/report/targets/judged_targets.h>
#include <millrace/tools/report/targets/target_table.h>

namespace millrace::tools {
namespace {

void add_machine(Section& section, const TargetSet& set, const Machine& machine) {
  const JudgedTargets judged = judge_targets(set, machine.results);
  if (!judged.is_of_machine) return;
  section.blocks.emplace_back(
      Paragraph(machine.label + ", " + target_summary(set, judged, machine.results) + "."));
  Table table = target_table(set, judged);
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
}

}  // namespace

Section target_section(const MergedResults& merged, const std::vector<TargetSet>& sets) {
  Section section{"Targets", {}, {}};
  for (const TargetSet& set : sets) {
    const std::size_t before = section.blocks.size();
    for (const Machine& machine : merged.machines) add_machine(section, set, machine);
    if (section.blocks.size() > before) continue;
    for (const Machine& machine : merged.machines) {
      const JudgedTargets judged = judge_targets(set, machine.results);
      section.blocks.emplace_back(
          Paragraph(machine.label + ": " + target_summary(set, judged, machine.results) + "."));
    }
  }
  return section;
}

}  // namespace millrace::tools
