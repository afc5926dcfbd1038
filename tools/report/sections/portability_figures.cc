// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/sections/portability_figures.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::size_t kMostLines = 8;  // Limit of a figure; its table has all.

const char* caption_of(EfficiencyKind kind) {
  return kind == EfficiencyKind::kApplication
             ? "Efficiency relative to the fastest application on each platform; PP is its "
               "harmonic "
               "mean, 0 where a platform is not supported."
             : "Efficiency relative to the limit that was measured on each platform; PP is its "
               "harmonic mean.";
}

// Makes the figure of lines, of which there is one or more, in the order in which they are shown.
Figure cascade_figure(const std::string& title, EfficiencyKind kind,
                      std::vector<CascadeLine> lines) {
  const bool is_application = kind == EfficiencyKind::kApplication;
  CascadeChart chart{title,
                     "platforms, the best first",
                     is_application ? "application efficiency" : "architectural efficiency",
                     {}};
  Table table{"Figures of: " + title, {{"Application"}, {"PP", true}}, {}};
  for (std::size_t i = 0; i < lines.front().efficiencies.size(); ++i) {
    table.columns.push_back({"Platform " + std::to_string(i + 1), true});
  }
  for (CascadeLine& line : lines) {
    std::vector<std::string> row = {line.name, ratio_text(line.portability)};
    for (const double each : line.efficiencies) row.push_back(ratio_text(each));
    row.resize(table.columns.size());
    table.rows.push_back(std::move(row));
    if (chart.lines.size() < kMostLines) chart.lines.push_back(std::move(line));
  }
  return {std::move(chart), caption_of(kind), std::move(table)};
}

// The widest row first, so that the table has a column for each platform.
void sort_by_platforms(std::vector<CascadeLine>& lines) {
  std::ranges::stable_sort(lines, std::ranges::greater(),
                           [](const CascadeLine& line) { return line.efficiencies.size(); });
}

// Lines of the problems whose efficiencies of that kind are known.
std::vector<CascadeLine> best_lines(const std::vector<const PortabilityProblem*>& problems,
                                    EfficiencyKind kind) {
  std::vector<CascadeLine> lines;
  for (const PortabilityProblem* problem : problems) {
    const auto best =
        std::ranges::find(problem->applications, kBestOfMillrace, &PortableApplication::name);
    if (problem->platforms.size() < 2 || best == problem->applications.end()) continue;
    const bool is_application = kind == EfficiencyKind::kApplication;
    if (!is_application && !best->architectural_pp) continue;
    lines.push_back({problem->name, cascade_of(*best, kind),
                     is_application ? best->application_pp : *best->architectural_pp});
  }
  sort_by_platforms(lines);
  return lines;
}

}  // namespace

std::vector<Figure> best_cascade_figures(const std::vector<const PortabilityProblem*>& problems) {
  for (const EfficiencyKind kind : {EfficiencyKind::kArchitectural, EfficiencyKind::kApplication}) {
    std::vector<CascadeLine> lines = best_lines(problems, kind);
    if (lines.empty()) continue;
    return {cascade_figure("Cascade of the best of Millrace, by workload", kind, std::move(lines))};
  }
  return {};
}

std::vector<Figure> cascade_figures(const PortabilityProblem& problem) {
  if (problem.platforms.size() < 2) return {};
  std::vector<CascadeLine> lines;
  for (const PortableApplication& each : problem.applications) {
    lines.push_back(
        {each.name, cascade_of(each, EfficiencyKind::kApplication), each.application_pp});
  }
  std::ranges::stable_sort(lines, std::ranges::greater(), &CascadeLine::portability);
  return {
      cascade_figure(problem.name + ": cascade", EfficiencyKind::kApplication, std::move(lines))};
}

}  // namespace millrace::tools
