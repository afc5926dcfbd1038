// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/efficiency/figure_of_merit.h>
#include <millrace/tools/report/efficiency/portability.h>
#include <millrace/tools/report/export/csv_row.h>
#include <millrace/tools/report/export/p3_csv.h>

#include <string>
#include <vector>

namespace millrace::tools {
namespace {

const std::vector<std::string> kP3Columns = {
    "date", "problem", "application", "platform", "fom", "app eff", "arch eff", "unit", "size"};

// The machine's label is there even if there is one, so that tables of several files can be joined.
std::string platform_name(const MergedResults& merged, const Platform& platform) {
  return platform.device + " (" + merged.machines[platform.machine].label + ")";
}

std::vector<std::string> row_of(const MergedResults& merged, const PortabilityProblem& problem,
                                const PortableApplication& application,
                                const PlatformEfficiency& efficiency) {
  const bool is_supported = efficiency.measurement != nullptr;
  const FigureOfMerit merit =
      is_supported ? figure_of_merit(*efficiency.measurement) : FigureOfMerit{};
  return {merged.machines[efficiency.platform.machine].results.started,
          problem.name,
          application.name,
          platform_name(merged, efficiency.platform),
          is_supported ? exact_text(merit.value) : "",
          exact_text(efficiency.application),
          exact_text(efficiency.architectural),
          merit.unit,
          is_supported ? std::to_string(efficiency.measurement->size) : ""};
}

}  // namespace

void write_p3_csv(std::ostream& out, const MergedResults& merged) {
  out << csv_row(kP3Columns);
  const std::vector<Group> groups = groups_of(merged);
  for (const PortabilityProblem& problem : portability_of(merged, groups)) {
    for (const PortableApplication& application : problem.applications) {
      for (const PlatformEfficiency& each : application.platforms) {
        out << csv_row(row_of(merged, problem, application, each));
      }
    }
  }
}

}  // namespace millrace::tools
