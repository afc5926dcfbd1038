// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/automatic_run.h>
#include <millrace/runtime/auto/policy_store.h>
#include <millrace/runtime/tasks/internal/run_levels.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace millrace {
namespace {

constexpr auto kNever = std::chrono::nanoseconds::max();

constexpr double kOverdue = 2;          // Multiple of the expected time before a sample.
constexpr double kCostlySample = 8;     // Factor on it if a sample stops the run.
constexpr double kShortSeconds = 5e-3;  // Duration of a run that is too short for a sample.
constexpr double kUntilNextSample = 8;  // Multiple of the time of the last sample.

std::shared_ptr<const DeviceCosts> costs_for(const DeviceInfo& device, double workers) {
  std::shared_ptr<const DeviceCosts> costs = costs_of(device);
  if (workers == 0 || workers == costs->workers) return costs;
  DeviceCosts own = *costs;
  own.workers = workers;
  return std::make_shared<const DeviceCosts>(std::move(own));
}

Policy other_of(Policy policy) {
  return policy == Policy::kPersistentThreads ? Policy::kUberkernel : Policy::kPersistentThreads;
}

// Returns the features of the work that the run has done so far. Under persistent threads the
// depth of the tree is unknown, and the number of waiting tasks stands for the width of a wave.
WorkFeatures features_of(const RunSample& sample, const WorkFeatures& known) {
  WorkFeatures work = known;
  work.items = std::max(sample.tasks, 1.0);
  work.roots = std::min(known.roots, work.items);
  const double width = std::max(sample.pending, 1.0);
  work.waves = sample.waves > 0 ? sample.waves : std::max(work.items / width, 1.0);
  return work;
}

}  // namespace

AutomaticRun::AutomaticRun(const DeviceInfo& device, double workers, std::type_index roots,
                           const WorkFeatures& known, RunHistory::CachedKind* cached)
    : costs_(costs_for(device, workers)),
      key_{.size_class = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(known.roots))),
           .mix_class = mix_class_of(known.gini_simpson),
           .workers = costs_->workers,
           .roots = roots,
           .device = device.name},
      known_(known),
      cached_(cached),
      choice_(RunHistory::instance().choose(key_, known, *costs_, cached)),
      policy_(choice_.policy) {
  // The index of earlier runs is used if this run's is unknown.
  known_.gini_simpson = choice_.work.gini_simpson;
  // A timer for persistent threads would take longer than a short run.
  const bool is_short = choice_.is_known && choice_.seconds < kShortSeconds;
  if (is_short && policy_ == Policy::kPersistentThreads) return;
  const bool is_gpu_in_waves = device.warp_width > 1 && policy_ != Policy::kPersistentThreads;
  if (is_gpu_in_waves && !choice_.has_waves) {
    plan_sample(0, kUnknownGpuSeconds);
  } else {
    plan_sample(choice_.is_known ? kOverdue * choice_.seconds : 0);
  }
}

void AutomaticRun::plan_sample(double seconds, double least_seconds) {
  sample_after_ = kNever;
  if (!known_.spawns || switches_ == kMostChanges) return;
  const bool would_move_much = known_.roots > double{kMaxMoved} || known_.opens_joins;
  if (policy_ == Policy::kPersistentThreads && would_move_much) return;
  seconds = std::max(seconds, least_seconds);
  if (policy_ == Policy::kPersistentThreads) seconds *= kCostlySample;
  constexpr double kLongest = 1e6;
  sample_after_ = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(std::min(seconds, kLongest)));
}

bool AutomaticRun::changes_policy(const RunSample& sample) {
  WorkFeatures work = features_of(sample, known_);
  work.item_seconds = implied_item_seconds(policy_, work, sample.seconds, *costs_);
  const Policy other = other_of(policy_);
  // Both times are predicted: a reason why this run is slower than predicted may slow the other
  // policy, too.
  const double own = predict_seconds(policy_, work, *costs_);
  const bool may_move = sample.pending <= double{kMaxMoved};
  const bool changes = may_move && predict_seconds(other, work, *costs_) < kSwitchFraction * own;
  if (changes) {
    if (sample.waves > 0) waves_ = sample.waves;
    policy_ = other;
    ++switches_;
  }
  plan_sample(kUntilNextSample * sample.seconds);
  // Persistent threads of a GPU would spill as many tasks again.
  if (!may_move && policy_ == Policy::kPersistentThreads) sample_after_ = kNever;
  return changes;
}

bool AutomaticRun::leaves_waves() {
  if (policy_ == Policy::kPersistentThreads) return false;
  policy_ = Policy::kPersistentThreads;
  ++switches_;
  sample_after_ = kNever;
  return true;
}

RunOptions AutomaticRun::options_left(RunOptions options, RunClock::time_point begin) const {
  options.policy = policy_;
  return options_since(options, begin);
}

void AutomaticRun::finish(RunReport& report, double seconds) {
  // Kernels may have run the remaining tasks before they received the last change.
  const bool came_too_late = switches_ > 0 && report.policy != policy_;
  if (came_too_late) --switches_;
  report.switches = switches_;
  RunHistory& history = RunHistory::instance();
  if (switches_ == 0) {
    history.add(key_, choice_, report, seconds, cached_);
  } else {
    history.add_switched(key_, report, choice_.policy, waves_);
  }
}

}  // namespace millrace
