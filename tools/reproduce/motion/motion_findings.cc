// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/motion/motion_findings.h>

#include <utility>

namespace millrace::tools {
namespace {

constexpr const char* kNoFigures = "there are no figures";

// "rises by 2 %" or "falls by 2 %".
std::string change_by(double percent) {
  return (percent < 0 ? "falls by " + in_words(-percent) : "rises by " + in_words(percent)) + " %";
}

Finding penalty_finding(const DataTable& paper, const DataTable& here) {
  const std::string claim = "RD performance is practically that of the full search";
  const auto cost = here.at("mean", "rate, full");
  const auto db = here.at("mean", "PSNR, full");
  const auto of_paper = paper.at("mean", "rate, full");
  if (!cost || !db || !of_paper) return untested(claim, kNoFigures);
  return {claim, *cost <= 2 * *of_paper ? FindingVerdict::kHolds : FindingVerdict::kFails,
          "the cost J " + change_by(*cost) + " and PSNR changes by " + in_words(*db) +
              " dB (paper: the bit rate " + change_by(*of_paper) + " and PSNR changes by " +
              in_words(paper.at("mean", "PSNR, full").value_or(0)) +
              " dB; up to twice that rise is taken for practically the same)"};
}

Finding hexagon_finding(const DataTable& paper, const DataTable& here) {
  const std::string claim = "It codes better than UMHexagonS";
  const auto cost = here.at("mean", "rate, UMHexagonS");
  const auto of_paper = paper.at("mean", "rate, UMHexagonS");
  if (!cost || !of_paper) return untested(claim, kNoFigures);
  return {claim, *cost < 0 ? FindingVerdict::kHolds : FindingVerdict::kFails,
          "the cost J " + change_by(*cost) + " (paper: the bit rate " + change_by(*of_paper) + ")"};
}

Finding parallel_finding(const DataTable& here, const DataTable& whole) {
  const std::string claim = "The parallel part alone gains more than motion estimation as a whole";
  const auto part = here.at("mean", "speed-up, full");
  const auto all = whole.at("mean", "speed-up, full");
  if (!part || !all) return untested(claim, kNoFigures);
  return {claim, *part > *all ? FindingVerdict::kHolds : FindingVerdict::kFails,
          "it is " + in_words(*part) + " times as fast as the full search, the whole " +
              in_words(*all) + " times"};
}

}  // namespace

std::vector<Finding> quality_findings(const DataTable& paper, const DataTable& here,
                                      const std::string& limit) {
  std::vector<Finding> findings = {penalty_finding(paper, here), hexagon_finding(paper, here)};
  if (limit.empty()) return findings;
  for (Finding& finding : findings) finding = untested(finding.claim, limit);
  return findings;
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
