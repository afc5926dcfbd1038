// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/report.h>

#include <utility>
#include <vector>

#include <millrace/tools/report/analysis/baseline.h>
#include <millrace/tools/report/sections/sections.h>

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

// A section for each workload, of all its inputs.
void add_workloads(Document& document, const MergedResults& merged,
                   const std::vector<Group>& groups, const Baseline& baseline) {
  for (auto first = groups.begin(); first != groups.end();) {
    auto last = first;
    while (last != groups.end() && last->workload == first->workload) ++last;
    document.sections.push_back(
        workload_section(merged, std::vector<Group>(first, last), baseline));
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
                    {summary_section(merged, groups)}};
  Section targets = target_section(merged, options.targets);
  if (!targets.is_empty()) document.sections.push_back(std::move(targets));
  add_workloads(document, merged, groups, baseline);
  Section automatic = auto_section(merged, groups);
  if (!automatic.is_empty()) document.sections.push_back(std::move(automatic));
  Section timelines = timeline_section(merged, groups);
  if (!timelines.is_empty()) document.sections.push_back(std::move(timelines));
  document.sections.push_back(problem_section(merged, groups));
  document.sections.push_back(machine_section(merged));
  document.sections.push_back(method_section());
  return document;
}

}  // namespace millrace::tools
