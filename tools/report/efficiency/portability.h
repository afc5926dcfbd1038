// SPDX-License-Identifier: Apache-2.0

// Performance portability: how well each contender does on each platform, and on all of them (S. J.
// Pennycook, J. D. Sewall and V. W. Lee, "Implications of a metric for performance portability",
// Future Generation Computer Systems 92, 2019).
#ifndef MILLRACE_TOOLS_REPORT_EFFICIENCY_PORTABILITY_H_
#define MILLRACE_TOOLS_REPORT_EFFICIENCY_PORTABILITY_H_

#include <millrace/tools/report/analysis/merged_results.h>

#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

// The name of the application that is the fastest of Millrace's own contenders on each platform.
inline constexpr const char* kBestOfMillrace = "Millrace, best";

// An application on a platform. Both efficiencies are 0 to 1, and 0 if it is not supported there.
struct PlatformEfficiency {
  Platform platform;
  const Measurement* measurement = nullptr;  // Null: not supported, wrong or not measured.
  double application = 0;                    // Relative to the best application there.
  std::optional<double> architectural;  // Fraction of the measured limit; none: no limit is known.
};

struct PortableApplication {
  std::string name;
  std::vector<PlatformEfficiency> platforms;  // Ordered as PortabilityProblem::platforms.
  double application_pp = 0;
  std::optional<double> architectural_pp;  // None: it runs everywhere and a limit is not known.
};

// A workload and an input; contenders under a strategy that a peer has are a problem of their own.
struct PortabilityProblem {
  std::string workload;
  std::string name;
  std::vector<Platform> platforms;
  std::vector<PortableApplication> applications;  // Each was timed on a platform.
};

// Returns the harmonic mean of the efficiencies, and 0 if one of them is 0 or there are none.
double performance_portability(const std::vector<double>& efficiencies);

// Returns the problems in the groups' order. Their platforms are the devices, neither simulated nor
// groups, on which something of the problem was to be measured. Figures are those of the largest
// size that was timed on every platform, or, if there is none, of the largest size on each. Points
// into the groups' measurements.
std::vector<PortabilityProblem> portability_of(const MergedResults& merged,
                                               const std::vector<Group>& groups);

enum class EfficiencyKind { kApplication, kArchitectural };

// Returns the application's efficiencies in descending order, one for each platform, as a cascade
// plot shows them. An architectural efficiency that is not known is 0.
std::vector<double> cascade_of(const PortableApplication& application, EfficiencyKind kind);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_EFFICIENCY_PORTABILITY_H_
