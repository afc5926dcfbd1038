// SPDX-License-Identifier: Apache-2.0

// A run under kAuto: chooses the first policy and decides during the run if another is faster.
//
// The first policy follows from the history of such runs or from the model (run_history.h,
// policy_model.h). A run that may spawn is sampled once it has taken twice the expected time, and
// at least kUnknownSeconds. In waves, the sample is taken between two of them, on a GPU beside the
// kernel, at almost no cost. There a run whose number of waves is unknown is sampled after
// kUnknownGpuSeconds. Persistent threads must be stopped for a sample, so they run eight times as
// long before it. They are not sampled at all if the run was expected to take less than 5 ms, began
// with more than kMaxMoved tasks, had as many in an earlier sample, or may open joins: those on
// stacks would all be stored. The next sample comes after eight times the time, and at least
// kUnknownSeconds.
//
// If the model predicts that the other of these two policies takes at most the fraction
// kSwitchFraction of the time for work like the sampled one, the tasks not started continue under
// it. This happens at most kMostChanges times, and only if at most kMaxMoved tasks wait, because
// the host moves them. Persistent threads of a CPU that keep their policy continue where they were
// stopped. Those of a GPU have spilled all their tasks, so they are not sampled if
// RunOptions::spill_bytes limits these.
//
// Waves keep the joins of a whole level of the tree open, persistent threads those of a branch for
// each lane. So a run whose waves have opened more joins than a GPU's memory for them holds goes on
// under persistent threads, however many tasks wait.
#ifndef MILLRACE_RUNTIME_AUTO_AUTOMATIC_RUN_H_
#define MILLRACE_RUNTIME_AUTO_AUTOMATIC_RUN_H_

#include <millrace/runtime/auto/policy_model.h>
#include <millrace/runtime/auto/run_history.h>
#include <millrace/runtime/auto/type_mix.h>
#include <millrace/runtime/host/clock/run_clock.h>
#include <millrace/runtime/tasks/run_report.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/runtime/tasks/task_list.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <typeindex>
#include <typeinfo>

namespace millrace {

// A sample of a run in progress. All but `pending` concern the segment under the current policy.
struct RunSample {
  double seconds = 0;  // Time since the segment began.
  double tasks = 0;    // Number of tasks run.
  double waves = 0;    // Number of waves; 0 under kPersistentThreads.
  double pending = 0;  // Number of tasks that wait to run.
};

// Returns the features that the roots of a run show. `mix` is the Gini-Simpson index of their types
// (type_mix.h) if these have been counted. Otherwise a list is sampled, because it is in host
// memory. The index is not set for a set that spawns, because roots may be a small fraction of
// its items.
template <class Roots>
WorkFeatures known_features(const Roots& roots, std::optional<double> mix = std::nullopt) {
  using Set = typename Roots::Set;
  WorkFeatures known{.roots = static_cast<double>(roots.size()),
                     .types = Set::kTypes,
                     .item_bytes = Set::kSlotBytes,
                     .spawns = Set::kSpawns,
                     .opens_joins = Set::kOpensJoins};
  if constexpr (Set::kTypes > 1 && !Set::kSpawns) {
    known.gini_simpson = mix;
    if (std::is_same_v<Roots, TaskList<Set>> && !mix.has_value()) {
      known.gini_simpson = sample_gini_simpson<Set::kTypes>(roots.tag_data(), roots.size());
    }
  }
  return known;
}

// Used by one thread at a time. It exists during the whole run.
class AutomaticRun {
 public:
  static constexpr double kUnknownSeconds = 1e-3;

  // About 18 short waves on an H200 (docs/experiments/does_auto_find_the_best_policy.md).
  static constexpr double kUnknownGpuSeconds = 5e-5;

  static constexpr double kSwitchFraction = 0.7;
  static constexpr std::uint64_t kMostChanges = 2;
  static constexpr std::size_t kMaxMoved = 1 << 20;

  // `workers` is as DeviceCosts::workers; 0 takes that of the device's costs. `cached` is null
  // or belongs to this type of roots.
  AutomaticRun(const DeviceInfo& device, double workers, std::type_index roots,
               const WorkFeatures& known, RunHistory::CachedKind* cached = nullptr);

  // Returns the policy for the run, or for its next segment.
  Policy policy() const { return policy_; }

  // Returns the time after the start of this segment, or after its last stop, at which to sample
  // it. The largest value means never.
  std::chrono::nanoseconds sample_after() const { return sample_after_; }

  // Evaluates a sample. Returns true if policy() has changed.
  bool changes_policy(const RunSample& sample);

  // Called when the run has opened more joins than the device's memory for them held. Returns true
  // if policy() has changed, from waves to kPersistentThreads.
  bool leaves_waves();

  // Returns the options of the whole run for its next segment, with the rest of the deadline.
  // `begin` is the start of the run; it is used only if there is a deadline.
  RunOptions options_left(RunOptions options, RunClock::time_point begin) const;

  // Records a run that has ended without an error. `report` covers all its segments; the number
  // of changes is added to it. `seconds` is the wall time of all segments.
  void finish(RunReport& report, double seconds);

 private:
  void plan_sample(double seconds, double least_seconds = kUnknownSeconds);

  std::shared_ptr<const DeviceCosts> costs_;
  WorkKey key_;
  WorkFeatures known_;
  RunHistory::CachedKind* const cached_;
  RunChoice choice_;
  Policy policy_;
  std::chrono::nanoseconds sample_after_ = std::chrono::nanoseconds::max();
  std::uint64_t switches_ = 0;
  double waves_ = 0;  // Number of waves of the run, sampled at a change of policy.
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_AUTOMATIC_RUN_H_
