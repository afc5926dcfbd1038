// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/efficiency/portability.h>
#include <millrace/tools/report/sections/figures.h>
#include <millrace/tools/report/sections/portability_figures.h>
#include <millrace/tools/report/sections/sections.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

// Returns the beginning of a workload's name, which workloads of one kind share.
std::string family_of(const std::string& workload) {
  return workload.substr(0, workload.find('-'));
}

// Keeps the first problem of each workload.
std::vector<const PortabilityProblem*> first_of_workloads(
    const std::vector<PortabilityProblem>& problems) {
  std::set<std::string> seen;
  std::vector<const PortabilityProblem*> first;
  for (const PortabilityProblem& problem : problems) {
    if (seen.insert(problem.workload).second) first.push_back(&problem);
  }
  return first;
}

std::vector<NamedCurve> best_curves(const MergedResults& merged, const Group& group) {
  std::vector<NamedCurve> curves;
  for (const Platform& platform : platforms_of(group)) {
    Curve best = best_of(curves_of(group, platform));
    if (!best.points.empty()) curves.push_back({name_of(merged, platform), std::move(best)});
  }
  return curves;
}

// The fraction of its limit of each workload's first input, on each device.
void add_limit_fractions(std::vector<Block>& blocks, const MergedResults& merged,
                         const std::vector<Group>& groups) {
  std::vector<NamedCurve> curves;
  std::set<std::string> seen;
  for (const Group& group : groups) {
    if (!seen.insert(group.workload).second) continue;
    for (NamedCurve& each : best_curves(merged, group)) {
      curves.push_back({group.name() + " on " + each.name, std::move(each.curve)});
    }
  }
  for (Figure& figure : limit_figures("Fraction of the limit, by workload and device", curves)) {
    blocks.emplace_back(std::move(figure));
  }
}

bool has_sizes(const std::vector<NamedCurve>& curves) {
  return std::ranges::any_of(curves,
                             [](const NamedCurve& each) { return each.curve.points.size() > 1; });
}

// Rates over sizes of the first workload of each kind that has several sizes, and, if none has, of
// the first of each kind.
void add_rates(std::vector<Block>& blocks, const MergedResults& merged,
               const std::vector<Group>& groups) {
  for (const bool needs_sizes : {true, false}) {
    std::set<std::string> seen;
    for (const Group& group : groups) {
      const std::vector<NamedCurve> curves = best_curves(merged, group);
      if (curves.empty() || (needs_sizes && !has_sizes(curves))) continue;
      if (!seen.insert(family_of(group.workload)).second) continue;
      blocks.emplace_back(rate_figure(group.name() + ": rate over size", curves, {}));
    }
    if (!seen.empty()) return;
  }
}

}  // namespace

Section overview_section(const MergedResults& merged, const std::vector<Group>& groups) {
  Section section{"At a glance", {}, {}};
  add_limit_fractions(section.blocks, merged, groups);
  add_rates(section.blocks, merged, groups);
  const std::vector<PortabilityProblem> problems = portability_of(merged, groups);
  std::vector<Figure> cascades = best_cascade_figures(first_of_workloads(problems));
  for (Figure& figure : cascades) section.blocks.emplace_back(std::move(figure));
  if (cascades.empty() && !section.blocks.empty()) {
    section.blocks.emplace_back(
        std::in_place_type<Paragraph>,
        "A cascade plot compares platforms: give files of work that was measured on two "
        "devices or more.");
  }
  return section;
}

}  // namespace millrace::tools
