// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/baseline.h>
#include <millrace/tools/report/report.h>
#include <millrace/tools/report/sections/sections.h>
#include <millrace/tools/report/streams/latency_table.h>
#include <millrace/tools/report/streams/live_streams.h>

#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

std::string labels_of(const MergedResults& merged) {
  std::string text;
  for (const Machine& machine : merged.machines) {
    text += (text.empty() ? "" : ", ") + machine.label;
  }
  return text;
}

std::string subtitle_of(const MergedResults& merged) {
  std::size_t measurements = 0;
  std::string first, last;
  for (const Machine& machine : merged.machines) {
    measurements += machine.results.measurements.size();
    const std::string day = machine.results.started.substr(0, 10);
    if (day.empty()) continue;
    if (first.empty() || day < first) first = day;
    if (day > last) last = day;
  }
  const std::string days = first.empty()   ? ""
                           : first == last ? ", " + first
                                           : ", " + first + " to " + last;
  return std::to_string(measurements) + " configurations on " + labels_of(merged) + days;
}

void add_section(Document& document, Section section) {
  if (!section.is_empty()) document.sections.push_back(std::move(section));
}

// Adds what workloads of H.264 streams have besides rates, if these groups are of one.
void add_streams(Section& section, const MergedResults& merged, const std::vector<Group>& groups) {
  for (Figure& figure : live_figures(merged, groups))
    section.blocks.emplace_back(std::move(figure));
  for (Table& table : std::vector{live_table(merged, groups), latency_table(merged, groups)}) {
    if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  }
}

// A section for each workload, of all its inputs.
void add_workloads(Document& document, const MergedResults& merged,
                   const std::vector<Group>& groups, const Baseline& baseline) {
  for (auto first = groups.begin(); first != groups.end();) {
    auto last = first;
    while (last != groups.end() && last->workload == first->workload) ++last;
    const std::vector<Group> inputs(first, last);
    Section section = workload_section(merged, inputs, baseline);
    add_streams(section, merged, inputs);
    document.sections.push_back(std::move(section));
    first = last;
  }
}

}  // namespace

Document report_of(const MergedResults& merged, const ReportOptions& options) {
  const std::vector<Group> groups = groups_of(merged);
  const Baseline baseline = options.baseline.empty() ? default_baseline(merged)
                                                     : parse_baseline(merged, options.baseline);
  Document document{options.title.empty() ? "Millrace on " + labels_of(merged) : options.title,
                    subtitle_of(merged),
                    {}};
  add_section(document, overview_section(merged, groups));
  document.sections.push_back(summary_section(merged, groups));
  add_section(document, target_section(merged, options.targets));
  add_section(document, portability_section(merged, groups));
  add_section(document, roofline_section(merged, groups));
  add_section(document, metg_section(merged, groups));
  add_section(document, energy_section(merged, groups));
  add_workloads(document, merged, groups, baseline);
  add_section(document, auto_section(merged, groups));
  add_section(document, timeline_section(merged, groups));
  document.sections.push_back(problem_section(merged, groups));
  document.sections.push_back(machine_section(merged));
  document.sections.push_back(method_section());
  return document;
}

}  // namespace millrace::tools
