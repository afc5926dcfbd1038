// SPDX-License-Identifier: Apache-2.0

// Targets for the figures of a machine, which are stored as a JSON file. docs/guide/measuring.md
// documents it, and docs/benchmark_targets.schema.json validates it.
//
//   const TargetSet set = read_targets("h200.json");
//   const JudgedTargets judged = judge_targets(set, read_results("lab.json"));
#ifndef MILLRACE_TOOLS_REPORT_TARGETS_TARGETS_H_
#define MILLRACE_TOOLS_REPORT_TARGETS_TARGETS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

inline constexpr int kTargetsSchema = 1;  // See kResultsSchema.

// Chooses contenders. Names are patterns of the shell: "tasks-*". A name that is missing matches
// all, except `peer`: where it is missing, contenders are Millrace's own.
struct ContenderPattern {
  std::optional<std::string> workload;
  std::optional<std::string> input;
  std::optional<std::uint64_t> size;
  std::optional<std::string> device;
  std::optional<std::string> policy;
  std::optional<std::string> strategy;
  std::optional<std::string> peer;
};

enum class FigureKind {
  kRate,           // Items a second; bytes or runs where items are not known.
  kTime,           // Seconds of a run.
  kLimitFraction,  // Fraction of the measurement's limit.
  kRatio,          // The rate over that of `Target::to`.
  kValue,          // A figure besides time, by its name.
};

// A target holds for each configuration (workload, input, size and device) that `of` matches, and
// there for the fastest contender that it matches.
struct Target {
  ContenderPattern of;
  FigureKind figure = FigureKind::kRate;
  std::string value;    // The name, if `figure` is kValue.
  ContenderPattern to;  // If it is kRatio: members that are missing are those of the configuration.
  bool is_least = true;  // True: the figure has to be at least `bar`; false: at most.
  double bar = 0;
  std::string source;  // Origin of the bar; may be empty.
};

// Holds for a machine whose label and one of whose devices' descriptions match. Only measurements
// on devices that match are compared.
struct TargetSet {
  std::string file;
  std::optional<std::string> label;   // Patterns, at least one of the two.
  std::optional<std::string> device;  // Of a description: "NVIDIA H200*".
  std::vector<Target> targets;
};

// Throws kInvalidArgument with the file's name and the location of what is wrong in it; a member
// that is not known is wrong, too. Throws kIo if the file cannot be read.
TargetSet read_targets(const std::string& path);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_TARGETS_TARGETS_H_
