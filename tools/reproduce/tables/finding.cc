// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/tables/finding.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

constexpr double kNoEffect = kLeastLead;

const char* lead_of(FindingVerdict verdict) {
  switch (verdict) {
    case FindingVerdict::kHolds: return "Holds here: ";
    case FindingVerdict::kWeaker: return "Holds here, but weaker: ";
    case FindingVerdict::kFails: return "Does not hold here: ";
    case FindingVerdict::kUntested: return "Not tested here: ";
  }
  return "";
}

// Sizes that both have: the smallest and the largest.
std::optional<std::pair<std::size_t, std::size_t>> common_sizes(const SizeSeries& a,
                                                                const SizeSeries& b) {
  std::optional<std::pair<std::size_t, std::size_t>> sizes;
  for (const auto& [size, seconds] : a) {
    if (b.contains(size)) sizes = std::pair(sizes ? sizes->first : size, size);
  }
  return sizes;
}

// "10 to 100, all that was measured"
std::string whole_range(const std::pair<std::size_t, std::size_t>& sizes) {
  return std::to_string(sizes.first) + " to " + std::to_string(sizes.second) +
         ", all that was measured";
}

// Describes two series that do not cross.
std::string one_lead_or_none(const CrossoverClaim& claim, const std::vector<Lead>& leads,
                             const std::pair<std::size_t, std::size_t>& sizes) {
  if (leads.empty()) {
    return claim.small + " and " + claim.large + " are within 2 % of each other from " +
           whole_range(sizes);
  }
  const Lead& lead = leads.front();
  const std::string text = (lead.is_first ? claim.small : claim.large) + " is faster from ";
  if (std::pair(lead.from, lead.until) == sizes) return text + whole_range(sizes);
  return text + std::to_string(lead.from) + " to " + std::to_string(lead.until) +
         "; at no size is the other faster by 2 %";
}

}  // namespace

const char* to_string(FindingVerdict verdict) {
  switch (verdict) {
    case FindingVerdict::kHolds: return "holds";
    case FindingVerdict::kWeaker: return "weaker";
    case FindingVerdict::kFails: return "fails";
    case FindingVerdict::kUntested: return "untested";
  }
  return "";
}

FindingVerdict verdict_of(double here, double paper) {
  if (std::abs(here - 1) < kNoEffect || (here > 1) != (paper > 1)) return FindingVerdict::kFails;
  return std::log(here) / std::log(paper) < 0.5 ? FindingVerdict::kWeaker : FindingVerdict::kHolds;
}

std::string Finding::sentence() const { return lead_of(verdict) + reason + "."; }

Finding untested(const std::string& claim, const std::string& why) {
  return {claim, FindingVerdict::kUntested, why};
}

Finding speed_up_finding(const SpeedUpClaim& claim, std::optional<double> here) {
  if (!here || !claim.paper) return untested(claim.claim, claim.why_untested);
  return {claim.claim, verdict_of(*here, *claim.paper),
          claim.faster + " is " + in_words(*here) + " times as fast as " + claim.slower + " " +
              claim.where + " (paper: " + in_words(*claim.paper) + ")"};
}

Finding saving_finding(const SavingClaim& claim, std::optional<double> here_percent) {
  if (!here_percent) return untested(claim.claim, claim.why_untested);
  const auto factor = [](double percent) { return 1 - percent / 100; };
  const std::string does = *here_percent < 0 ? " adds " : " saves ";
  return {claim.claim, verdict_of(factor(*here_percent), factor(claim.paper_percent)),
          claim.what + does + in_words(std::abs(*here_percent)) + " % of " + claim.base +
              "'s time " + claim.where + " (paper: it saves " + in_words(claim.paper_percent) +
              " %)"};
}

Finding crossover_finding(const CrossoverClaim& claim, const SizeSeries& small_seconds,
                          const SizeSeries& large_seconds) {
  const auto sizes = common_sizes(small_seconds, large_seconds);
  if (!sizes) return untested(claim.claim, claim.why_untested);
  const std::vector<Lead> found = leads(small_seconds, large_seconds);
  const bool is_so = found.size() > 1 && found.front().is_first && !found.back().is_first;
  const std::string what = found.size() > 1 ? describe(found, claim.small, claim.large)
                                            : one_lead_or_none(claim, found, *sizes);
  return {claim.claim, is_so ? FindingVerdict::kHolds : FindingVerdict::kFails,
          what + " (paper: " + claim.paper + ")"};
}

std::string in_words(double number) {
  char text[40];
  const double size = std::abs(number);
  const int decimals = size >= 100 || number == std::round(number) ? 0 : size >= 10 ? 1 : 2;
  const bool is_small = size > 0 && size < 0.1;
  std::snprintf(text, sizeof text, is_small ? "%.*g" : "%.*f", is_small ? 2 : decimals, number);
  return text;
}

}  // namespace millrace::tools
