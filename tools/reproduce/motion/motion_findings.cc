// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/motion/motion_findings.h>

#include <optional>
#include <utility>

namespace millrace::tools {
namespace {

// "rises by 2 %" or "falls by 2 %".
std::string change_by(double percent) {
  return (percent < 0 ? "falls by " + in_words(-percent) : "rises by " + in_words(percent)) + " %";
}

// The cost of a search above that of another, by the mean row.
struct QualityFigures {
  std::string what;  // "the bit rate" of encodes, or else "the cost J".
  std::optional<double> cost_percent;
  std::optional<double> db;
};

QualityFigures figures_to(const DataTable& here, const std::string& search) {
  const auto rate = here.at("mean", "rate, " + search);
  if (rate) return {"the bit rate", rate, here.at("mean", "PSNR, " + search)};
  return {"the cost J", here.at("mean", "J, " + search),
          here.at("mean", "predicted PSNR, " + search)};
}

// Costs of textures say nothing; encodes are of clips.
bool is_limited(const QualityFigures& figures, const std::string& limit) {
  return figures.what == "the cost J" && !limit.empty();
}

Finding penalty_finding(const DataTable& paper, const DataTable& here, const std::string& limit) {
  const std::string claim = "RD performance is practically that of the full search";
  const QualityFigures figures = figures_to(here, "full");
  const auto of_paper = paper.at("mean", "rate, full");
  if (is_limited(figures, limit)) return untested(claim, limit);
  if (!figures.cost_percent || !figures.db || !of_paper) return untested(claim, kNoFigures);
  return {claim,
          *figures.cost_percent <= 2 * *of_paper ? FindingVerdict::kHolds : FindingVerdict::kFails,
          figures.what + " " + change_by(*figures.cost_percent) + " and PSNR changes by " +
              in_words(*figures.db) + " dB (paper: the bit rate " + change_by(*of_paper) +
              " and PSNR changes by " + in_words(paper.at("mean", "PSNR, full").value_or(0)) +
              " dB; up to twice that rise is taken for practically the same)"};
}

Finding hexagon_finding(const DataTable& paper, const DataTable& here, const std::string& limit) {
  const std::string claim = "It codes better than UMHexagonS";
  const QualityFigures figures = figures_to(here, "UMHexagonS");
  const auto of_paper = paper.at("mean", "rate, UMHexagonS");
  if (is_limited(figures, limit)) return untested(claim, limit);
  if (!figures.cost_percent || !of_paper) return untested(claim, kNoFigures);
  return {claim, *figures.cost_percent < 0 ? FindingVerdict::kHolds : FindingVerdict::kFails,
          figures.what + " " + change_by(*figures.cost_percent) + " (paper: the bit rate " +
              change_by(*of_paper) + ")"};
}

Finding parallel_finding(const DataTable& here, const DataTable& whole) {
  const std::string claim = "The parallel part alone gains more than motion estimation as a whole";
  const auto stage = here.at("mean", "speed-up, full");
  const auto all = whole.at("mean", "speed-up, full");
  if (!stage || !all) return untested(claim, kNoFigures);
  return {claim, *stage > *all ? FindingVerdict::kHolds : FindingVerdict::kFails,
          "it is " + in_words(*stage) + " times as fast as the full search, the whole " +
              in_words(*all) + " times"};
}

}  // namespace

std::vector<Finding> quality_findings(const DataTable& paper, const DataTable& here,
                                      const std::string& limit) {
  return {penalty_finding(paper, here, limit), hexagon_finding(paper, here, limit)};
}

std::vector<Finding> speed_findings(const DataTable& paper, const DataTable& here,
                                    const DataTable* whole) {
  std::vector<Finding> findings;
  for (const auto& [column, name] :
       {std::pair<std::string, std::string>{"speed-up, full", "the full search"},
        {"speed-up, fast full", "the fast full search"},
        {"speed-up, UMHexagonS", "UMHexagonS"}}) {
    findings.push_back(speed_up_finding({.claim = "It takes far less time than " + name,
                                         .faster = "the search on the device",
                                         .slower = name,
                                         .where = "of one core",
                                         .paper = paper.at("mean", column),
                                         .why_untested = kNoFigures},
                                        here.at("mean", column)));
  }
  if (whole != nullptr) findings.push_back(parallel_finding(here, *whole));
  return findings;
}

}  // namespace millrace::tools
