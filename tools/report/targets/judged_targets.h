// SPDX-License-Identifier: Apache-2.0

// Comparison of results with targets.
#ifndef MILLRACE_TOOLS_REPORT_TARGETS_JUDGED_TARGETS_H_
#define MILLRACE_TOOLS_REPORT_TARGETS_JUDGED_TARGETS_H_

#include <millrace/tools/report/results/results.h>
#include <millrace/tools/report/targets/targets.h>

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::tools {

enum class TargetVerdict {
  kMet,       // The whole interval at 95 % is on the right side of the bar.
  kMissed,    // It is on the other side.
  kNotKnown,  // The bar is within it, or there are fewer than six runs.
  kNoFigure,  // There is no figure to compare.
};

// A target at one configuration. Pointers are into the targets and the results.
struct JudgedTarget {
  const Target* target = nullptr;
  // Any one that the target matches, if there is no figure.
  const Measurement* measurement = nullptr;
  const Measurement* other = nullptr;  // The one that a ratio is to; null for other figures.
  double figure = 0;
  double low = 0;  // Its interval at 95 %; equal to it for a value.
  double high = 0;
  TargetVerdict verdict = TargetVerdict::kNoFigure;
  std::string reason;  // Reason of kNoFigure and of an interval that is not known.
};

struct JudgedTargets {
  bool is_of_machine = false;  // False: the targets are another machine's, and nothing is compared.
  std::vector<JudgedTarget> targets;
  std::vector<const Target*> not_measured;

  std::size_t count(TargetVerdict verdict) const;
};

// `set` and `results` must outlive the result. The interval of a ratio is from the least to the
// greatest that the two intervals allow.
JudgedTargets judge_targets(const TargetSet& set, const Results& results);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_TARGETS_JUDGED_TARGETS_H_
