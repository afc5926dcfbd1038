// SPDX-License-Identifier: Apache-2.0

// The quality of kAuto's choices: its times beside those of the best fixed policy.
#ifndef MILLRACE_TOOLS_REPORT_ANALYSIS_AUTO_RATIO_H_
#define MILLRACE_TOOLS_REPORT_ANALYSIS_AUTO_RATIO_H_

#include <millrace/tools/benchmarks/harness/statistics.h>
#include <millrace/tools/report/analysis/merged_results.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace millrace::tools {

// One configuration in which `auto` ran beside fixed policies. Points into the groups.
struct AutoRatio {
  const Group* group = nullptr;
  Platform platform;
  const Measurement* automatic = nullptr;
  const Measurement* best = nullptr;  // Fixed policy with the least median.
  MedianInterval ratio;               // Time of `auto` to the best one's.
  std::optional<double> first_ratio;  // The first run under `auto`, where it was measured.
  std::optional<double> again_ratio;  // The best policy run again, likewise: chance alone.
};

// Returns the configurations on all devices, in the order of the groups. Runs of one round are
// compared with each other; where rounds are missing, the medians are, and the interval is as wide
// as both allow.
std::vector<AutoRatio> auto_ratios(const std::vector<Group>& groups);

// Ratios to the best policy, of at least one configuration.
struct RatioSummary {
  std::size_t count = 0;
  double median = 0;
  double close_fraction = 0;  // Fraction of ratios of at most kCloseRatio.
  double near_fraction = 0;   // Fraction of ratios of at most kNearRatio.
  double worst = 0;
};

struct AutoSummary {
  RatioSummary automatic;
  const AutoRatio* worst = nullptr;   // One of those summarized.
  std::optional<RatioSummary> first;  // Configurations that have first_ratio.
  std::optional<RatioSummary> again;  // Configurations that have again_ratio.
};

inline constexpr double kCloseRatio = 1.05;
inline constexpr double kNearRatio = 1.5;  // Within reach of a first run, which knows nothing yet.

// Throws kInvalidArgument where there is none.
AutoSummary summarize(const std::vector<AutoRatio>& ratios);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_ANALYSIS_AUTO_RATIO_H_
