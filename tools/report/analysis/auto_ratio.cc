// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/report/analysis/auto_ratio.h>

#include <algorithm>
#include <utility>

namespace millrace::tools {
namespace {

constexpr char kAuto[] = "auto";
constexpr char kFirstRunSeconds[] = "first run s";  // A value of workloads that measure it.
constexpr char kBestAgain[] = "best-again";         // A strategy, likewise.

bool is_fixed_policy(const Measurement& run) {
  return run.status == MeasurementStatus::kOk && run.peer.empty() && !run.policy.empty() &&
         run.policy != kAuto;
}

bool is_configuration_of(const Entry& a, const Entry& b) {
  return a.platform == b.platform && a.measurement->size == b.measurement->size;
}

// Returns the fastest fixed policy that did the same as `automatic`; null if there is none.
const Measurement* best_beside(const Group& group, const Entry& automatic) {
  const Measurement* best = nullptr;
  for (const Entry& entry : group.entries) {
    const Measurement* const run = entry.measurement;
    const bool is_same =
        is_configuration_of(entry, automatic) && run->strategy == automatic.measurement->strategy;
    if (!is_same || !is_fixed_policy(*run)) continue;
    if (best == nullptr || run->median_seconds < best->median_seconds) best = run;
  }
  return best;
}

MedianInterval ratio_of(const Measurement& a, const Measurement& b) {
  if (a.seconds.empty() || a.seconds.size() != b.seconds.size()) {
    return {.median = a.median_seconds / b.median_seconds,
            .low = a.low_seconds / b.high_seconds,
            .high = a.high_seconds / b.low_seconds};
  }
  std::vector<double> ratios;
  for (std::size_t round = 0; round < a.seconds.size(); ++round) {
    ratios.push_back(a.seconds[round] / b.seconds[round]);
  }
  return median_interval(std::move(ratios));
}

std::optional<double> first_ratio_of(const Measurement& automatic, const Measurement& best) {
  const auto first = automatic.values.find(kFirstRunSeconds);
  if (first == automatic.values.end()) return {};
  return first->second / best.median_seconds;
}

std::optional<double> again_ratio_of(const Group& group, const Entry& automatic,
                                     const Measurement& best) {
  for (const Entry& entry : group.entries) {
    const Measurement& run = *entry.measurement;
    if (is_configuration_of(entry, automatic) && run.strategy == kBestAgain &&
        run.status == MeasurementStatus::kOk) {
      return ratio_of(run, best).median;
    }
  }
  return {};
}

// Returns nothing for no ratios.
std::optional<RatioSummary> summary_of(const std::vector<double>& ratios) {
  if (ratios.empty()) return {};
  const auto fraction_within = [&](double most) {
    const auto within = std::ranges::count_if(ratios, [&](double ratio) { return ratio <= most; });
    return static_cast<double>(within) / static_cast<double>(ratios.size());
  };
  return RatioSummary{.count = ratios.size(),
                      .median = median(ratios),
                      .close_fraction = fraction_within(kCloseRatio),
                      .near_fraction = fraction_within(kNearRatio),
                      .worst = *std::ranges::max_element(ratios)};
}

}  // namespace

std::vector<AutoRatio> auto_ratios(const std::vector<Group>& groups) {
  std::vector<AutoRatio> ratios;
  for (const Group& group : groups) {
    for (const Entry& entry : group.entries) {
      const Measurement& run = *entry.measurement;
      if (run.status != MeasurementStatus::kOk || run.policy != kAuto || !run.peer.empty())
        continue;
      const Measurement* const best = best_beside(group, entry);
      if (best == nullptr) continue;
      ratios.push_back({&group, entry.platform, &run, best, ratio_of(run, *best),
                        first_ratio_of(run, *best), again_ratio_of(group, entry, *best)});
    }
  }
  return ratios;
}

AutoSummary summarize(const std::vector<AutoRatio>& ratios) {
  if (ratios.empty()) {
    reject("no configuration ran under auto; one is needed");
  }
  std::vector<double> medians, first, again;
  for (const AutoRatio& each : ratios) {
    medians.push_back(each.ratio.median);
    if (each.first_ratio) first.push_back(*each.first_ratio);
    if (each.again_ratio) again.push_back(*each.again_ratio);
  }
  return {.automatic = *summary_of(medians),
          .worst = &*std::ranges::max_element(
              ratios, {}, [](const AutoRatio& each) { return each.ratio.median; }),
          .first = summary_of(first),
          .again = summary_of(again)};
}

}  // namespace millrace::tools
