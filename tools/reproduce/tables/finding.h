// SPDX-License-Identifier: Apache-2.0

// A finding of a paper, and whether it holds here: a claim in words, with a verdict and a sentence
// that are computed from figures.
#ifndef MILLRACE_TOOLS_REPRODUCE_TABLES_FINDING_H_
#define MILLRACE_TOOLS_REPRODUCE_TABLES_FINDING_H_

#include <millrace/tools/benchmarks/harness/leads.h>

#include <optional>
#include <string>

namespace millrace::tools {

enum class FindingVerdict {
  kHolds,
  kWeaker,  // The direction is the paper's, the size less than half of it, by logarithms.
  kFails,
  kUntested,  // There are no figures here; the sentence says why.
};

// "holds", "weaker", "fails", "untested".
const char* to_string(FindingVerdict verdict);

struct Finding {
  std::string claim;  // The paper's, in a sentence.
  FindingVerdict verdict = FindingVerdict::kUntested;
  std::string reason;  // The figures that show it, or why there are none.

  // "Holds here: REASON."
  std::string sentence() const;
};

// The usual reason why a claim is untested.
inline constexpr const char* kNoFigures = "there are no figures";

// Compares two factors that are 1 where there is no effect; what changes less than 2 % is none.
FindingVerdict verdict_of(double here, double paper);

Finding untested(const std::string& claim, const std::string& why);

// A claim that one contender is faster than another.
struct SpeedUpClaim {
  std::string claim;
  std::string faster;
  std::string slower;
  std::string where;            // Such as "for 25000 macroblocks".
  std::optional<double> paper;  // Speed-up in the paper, above 1; none: untested.
  std::string why_untested;     // Reason if there is no figure here.
};

// `here`: how many times as fast it is.
Finding speed_up_finding(const SpeedUpClaim& claim, std::optional<double> here);

// A claim that a method saves a fraction of another's time. Its figures are the times that are left
// and the times that they are compared with.
struct SavingClaim {
  std::string claim;
  std::string what;
  std::string base;
  std::string where;
  double paper_percent = 0;  // Saved, below 100.
  std::string why_untested;
};

Finding saving_finding(const SavingClaim& claim, std::optional<double> here_percent);

// A claim that one is faster at small sizes, and the other at large ones. A lead of less than 2 %
// does not count.
struct CrossoverClaim {
  std::string claim;
  std::string small;  // Leads at small sizes,
  std::string large;  // and this at large ones.
  std::string paper;  // The crossing that the paper states, as a sentence.
  std::string why_untested;
};

Finding crossover_finding(const CrossoverClaim& claim, const SizeSeries& small_seconds,
                          const SizeSeries& large_seconds);

// A number as sentences have it: three digits or so, whole ones as they are.
std::string in_words(double number);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_TABLES_FINDING_H_
