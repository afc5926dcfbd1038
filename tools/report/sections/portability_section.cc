// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/efficiency/portability.h>
#include <millrace/tools/report/sections/portability_figures.h>
#include <millrace/tools/report/sections/sections.h>

#include <optional>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

// Returns "0.75", with the architectural efficiency behind it where it is known: "0.75 / 0.40".
std::string pair_text(double application, const std::optional<double>& architectural) {
  return ratio_text(application) + " / " + (architectural ? ratio_text(*architectural) : "?");
}

std::string platform_text(const PlatformEfficiency& efficiency) {
  if (efficiency.measurement == nullptr) return "0";
  return pair_text(efficiency.application, efficiency.architectural);
}

Table table_of(const MergedResults& merged, const PortabilityProblem& problem) {
  Table table{
      problem.name + ": application / architectural efficiency, and PP", {{"Application"}}, {}};
  const PortableApplication& first = problem.applications.front();
  for (const PlatformEfficiency& each : first.platforms) {
    table.columns.push_back({name_of(merged, each.platform), true});
  }
  table.columns.push_back({"PP", true});
  for (const PortableApplication& application : problem.applications) {
    std::vector<std::string> row = {application.name};
    for (const PlatformEfficiency& each : application.platforms) row.push_back(platform_text(each));
    row.push_back(pair_text(application.application_pp, application.architectural_pp));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// The sizes of each platform, where they differ.
std::string sizes_text(const MergedResults& merged, const PortabilityProblem& problem) {
  std::string text;
  std::optional<std::uint64_t> size;
  bool is_same = true;
  for (const PlatformEfficiency& each : problem.applications.front().platforms) {
    if (each.measurement == nullptr) continue;
    is_same = is_same && each.measurement->size == size.value_or(each.measurement->size);
    size = each.measurement->size;
    text += (text.empty() ? "" : ", ") + std::to_string(*size) + " on " +
            name_of(merged, each.platform);
  }
  return is_same ? "" : "Sizes differ: " + text + ".";
}

}  // namespace

Section portability_section(const MergedResults& merged, const std::vector<Group>& groups) {
  Section section{"Performance portability", {}, {}};
  for (const PortabilityProblem& problem : portability_of(merged, groups)) {
    if (problem.platforms.size() < 2) continue;
    Section subsection{problem.name, {}, {}};
    for (Figure& figure : cascade_figures(problem)) {
      subsection.blocks.emplace_back(std::move(figure));
    }
    subsection.blocks.emplace_back(table_of(merged, problem));
    const std::string sizes = sizes_text(merged, problem);
    if (!sizes.empty()) subsection.blocks.emplace_back(Paragraph(sizes));
    section.sections.push_back(std::move(subsection));
  }
  if (section.sections.empty()) return section;
  section.blocks.emplace_back(
      Paragraph("Application efficiency is relative to the fastest of all applications on the same "
                "platform, architectural efficiency to the limit that was measured there; '?' is "
                "not known. PP is the harmonic mean over all platforms, and 0 where one of them is "
                "not supported. 'Millrace, best' is the fastest of Millrace's own on each."));
  return section;
}

}  // namespace millrace::tools
