// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/automatic_run.h>

#include <algorithm>
#include <bit>
#include <utility>

#include <millrace/runtime/auto/policy_store.h>

namespace millrace {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kNever = std::chrono::nanoseconds::max();

constexpr double kOverdue = 2;   // Times what was expected.
constexpr double kDearLook = 8;  // Times that where looking stops the run.
constexpr double kShortSeconds = 5e-3;
constexpr double kUntilNextLook = 8;  // Times the time of the last look.

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

// Work of which the run has done a part, as if that were all: under persistent threads the depth is
// not known, and what waits is taken for the width.
WorkFeatures features_of(const RunSight& sight, const WorkFeatures& known) {
  WorkFeatures work = known;
  work.items = std::max(sight.tasks, 1.0);
  work.roots = std::min(known.roots, work.items);
  const double width = std::max(sight.pending, 1.0);
  work.waves = sight.waves > 0 ? sight.waves : std::max(work.items / width, 1.0);
  return work;
}

}  // namespace

AutomaticRun::AutomaticRun(const DeviceInfo& device, double workers, std::type_index roots,
                           const WorkFeatures& known, RunHistory::Place* place)
    : costs_(costs_for(device, workers)),
      key_{.size_class = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(known.roots))),
           .mix_class = mix_class_of(known.gini_simpson),
           .workers = costs_->workers,
           .roots = roots,
           .device = device.name},
      known_(known),
      place_(place),
      choice_(RunHistory::instance().choose(key_, known, *costs_, place)),
      policy_(choice_.policy) {
  known_.gini_simpson = choice_.work.gini_simpson;  // Of earlier runs, where it was not known.
  // A timer for persistent threads takes longer than a short run.
  const bool is_short = choice_.is_known && choice_.seconds < kShortSeconds;
  if (is_short && policy_ == Policy::kPersistentThreads) return;
  plan_look(choice_.is_known ? kOverdue * choice_.seconds : kUnknownSeconds);
}

void AutomaticRun::plan_look(double seconds) {
  look_after_ = kNever;
  if (!known_.spawns || switches_ == kMostChanges) return;
  if (policy_ == Policy::kPersistentThreads && known_.roots > double{kMostMoved}) return;
  seconds = std::max(seconds, kUnknownSeconds);
  if (policy_ == Policy::kPersistentThreads) seconds *= kDearLook;
  constexpr double kLongest = 1e6;
  look_after_ = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(std::min(seconds, kLongest)));
}

bool AutomaticRun::changes_policy(const RunSight& sight) {
  WorkFeatures work = features_of(sight, known_);
  work.item_seconds = implied_item_seconds(policy_, work, sight.seconds, *costs_);
  const Policy other = other_of(policy_);
  // The costs are of the device as such: what was seen to take longer may do so under the other.
  const double own = predict_seconds(policy_, work, *costs_);
  const bool may_move = sight.pending <= double{kMostMoved};
  const bool changes = may_move && predict_seconds(other, work, *costs_) < kWorthChanging * own;
  if (changes) {
    if (sight.waves > 0) waves_ = sight.waves;
    policy_ = other;
    ++switches_;
  }
  plan_look(kUntilNextLook * sight.seconds);
  // A GPU's would spill as much again.
  if (!may_move && policy_ == Policy::kPersistentThreads) look_after_ = kNever;
  return changes;
}

RunOptions AutomaticRun::options_left(RunOptions options, Clock::time_point begin) const {
  options.policy = policy_;
  if (options.deadline.count() > 0) {
    const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin);
    options.deadline = std::max(options.deadline - passed, std::chrono::nanoseconds(1));
  }
  return options;
}

void AutomaticRun::finish(RunReport& report, double seconds) {
  // Kernels may have run what was left before they were told of the last change.
  const bool came_too_late = switches_ > 0 && report.policy != policy_;
  if (came_too_late) --switches_;
  report.switches = switches_;
  RunHistory& history = RunHistory::instance();
  if (switches_ == 0) {
    history.add(key_, choice_, report, seconds, place_);
  } else {
    history.add_switched(key_, report, choice_.policy, waves_);
  }
}

}  // namespace millrace
