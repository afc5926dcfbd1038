// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/three_star/three_star_findings.h>

#include <cmath>

namespace millrace::tools {
namespace {

std::string for_points(const std::string& points) { return "for " + points + " points"; }

Finding bottleneck_finding(const DataTable& here) {
  const std::string claim = "Computation (COMP) is the bottleneck";
  std::string costliest;
  double most = -1;
  double all = 0;
  for (const char* const column : {"LOAD", "COMP", "REPORT", "DataOut", "DECODE"}) {
    const auto time = here.at("baseline", column);
    if (!time) return untested(claim, kNoFigures);
    all += *time;
    if (*time > most) {
      most = *time;
      costliest = column;
    }
  }
  return {claim, costliest == "COMP" ? FindingVerdict::kHolds : FindingVerdict::kFails,
          costliest + " takes most of the baseline's time, " + in_words(100 * most / all) + " %"};
}

Finding compression_finding(const DataTable& here) {
  const std::string claim = "Compression shortens LOAD and COMP too";
  const auto together = [&](const char* row) -> std::optional<double> {
    const auto load = here.at(row, "LOAD");
    const auto compute = here.at(row, "COMP");
    if (!load || !compute) return std::nullopt;
    return *load + *compute;
  };
  const auto before = together("baseline");
  const auto after = together("compression");
  if (!before || !after) return untested(claim, kNoFigures);
  const double ratio = *after / *before;
  return {claim, ratio < 0.98 ? FindingVerdict::kHolds : FindingVerdict::kFails,
          "they take " + in_words(ratio) + " times as long as in the baseline"};
}

}  // namespace

std::vector<Finding> growth_findings(const DataTable& paper, const DataTable& here) {
  const std::string claim = "The number of 3-stars grows cubically with that of sensors";
  const std::string last = here.last_with({"power"});
  const auto power = here.at(last, "power");
  if (!power) return {untested(claim, "a power needs two numbers of points")};
  const double of_paper = paper.at("stated", "power").value_or(3);
  return {Finding{
      claim, std::abs(*power - of_paper) < 0.5 ? FindingVerdict::kHolds : FindingVerdict::kFails,
      "it grows with the power " + in_words(*power) + " up to " + last +
          " points (paper: " + in_words(of_paper) + ")"}};
}

std::vector<Finding> sequential_findings(const DataTable& paper, const DataTable& here) {
  const std::string column = "both to sequential";
  const std::string last = here.last_with({column});
  return {speed_up_finding(
      {.claim = "With streaming and compression the device is nearly 1000 times as fast as one "
                "core's sequential code",
       .faster = "the code with both",
       .slower = "the sequential code",
       .where = for_points(last),
       .paper = paper.at(paper.last_with({column}), column),
       .why_untested = kNoFigures},
      here.at(last, column))};
}

std::vector<Finding> technique_findings(const DataTable& paper, const DataTable& here,
                                        std::size_t points) {
  std::vector<Finding> findings;
  struct Technique {
    const char* row;
    const char* name;
    const char* claim;
  };
  for (const Technique& technique :
       {Technique{"streaming", "streaming", "Streaming improves on the baseline"},
        {"compression", "compression", "Compression improves on the baseline"},
        {"both", "streaming with compression", "Both together improve on the baseline"}}) {
    findings.push_back(
        saving_finding({.claim = technique.claim,
                        .what = technique.name,
                        .base = "the baseline",
                        .where = for_points(std::to_string(points)),
                        .paper_percent = paper.at(technique.row, "saved").value_or(0),
                        .why_untested = kNoFigures},
                       here.at(technique.row, "saved")));
  }
  findings.push_back(bottleneck_finding(here));
  findings.push_back(compression_finding(here));
  return findings;
}

}  // namespace millrace::tools
