// SPDX-License-Identifier: Apache-2.0

// A run under kAuto: which policy it begins with, and when it is better off under another.
//
// It begins as the history of such runs or the model says (run_history.h, policy_model.h). A run
// that may spawn is looked at when it has taken twice what was expected, or kUnknownSeconds where
// nothing is known: in waves between two of them, on a GPU beside the kernel, where looking costs
// next to nothing; persistent threads are stopped for it, and so have eight times as long, and are
// left alone where the run was known to take less than 5 ms, or began with more than kMostMoved
// tasks or was seen with as many. The next look comes after eight times the time. When the model
// says that the other of the two takes at most kWorthChanging of the time for work like what was
// seen, what has not started goes on under that one: at most kMostChanges times, and where no more
// than kMostMoved tasks wait, since the host takes them from one to the other. Persistent threads
// of a CPU that are not to change go on where they were stopped; those of a GPU have spilled all
// their tasks, and so are not looked at where RunOptions::spill_bytes says how many may be.
#ifndef MILLRACE_RUNTIME_AUTO_AUTOMATIC_RUN_H_
#define MILLRACE_RUNTIME_AUTO_AUTOMATIC_RUN_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <typeindex>
#include <typeinfo>

#include <millrace/runtime/auto/policy_model.h>
#include <millrace/runtime/auto/run_history.h>
#include <millrace/runtime/auto/type_mix.h>
#include <millrace/runtime/tasks/run_report.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/runtime/tasks/task_list.h>

namespace millrace {

// What is seen of a run that goes on.
struct RunSight {
  double seconds = 0;  // Since the part of the run under this policy began.
  double tasks = 0;    // That ran in it.
  double waves = 0;    // Likewise; 0 under kPersistentThreads.
  double pending = 0;  // Tasks that wait to be run.
};

// What the roots say of a run. `mix` is how types are mixed among them where they have been counted
// (the Gini-Simpson index of type_mix.h); else a list, which is the host's, is sampled. It is not
// said of a set that spawns, of whose items the roots may be few.
template <class Roots>
WorkFeatures known_features(const Roots& roots, std::optional<double> mix = std::nullopt) {
  using Set = typename Roots::Set;
  WorkFeatures known{.roots = static_cast<double>(roots.size()),
                     .types = Set::kTypes,
                     .item_bytes = Set::kSlotBytes,
                     .spawns = Set::kSpawns};
  if constexpr (Set::kTypes > 1 && !Set::kSpawns) {
    known.gini_simpson = mix;
    if (std::is_same_v<Roots, TaskList<Set>> && !mix.has_value()) {
      known.gini_simpson = sample_gini_simpson<Set::kTypes>(roots.tag_data(), roots.size());
    }
  }
  return known;
}

// Used by one thread at a time; lives through the run.
class AutomaticRun {
 public:
  static constexpr double kUnknownSeconds = 1e-3;
  static constexpr double kWorthChanging = 0.7;
  static constexpr std::uint64_t kMostChanges = 2;
  static constexpr std::size_t kMostMoved = 1 << 20;

  // On a device with so many workers (DeviceCosts::workers); 0: as many as its costs say. `place`,
  // if any, is of these roots.
  AutomaticRun(const DeviceInfo& device, double workers, std::type_index roots,
               const WorkFeatures& known, RunHistory::Place* place = nullptr);

  // What the run, or the part of it that comes, is to be run under.
  Policy policy() const { return policy_; }

  // How long after the start of this part, or the last time it was stopped, to look at it; the
  // largest value: not at all.
  std::chrono::nanoseconds look_after() const { return look_after_; }

  // Looks: whether policy() is another one now.
  bool changes_policy(const RunSight& sight);

  // What is left of the whole run's options for a part of it; `begin` is when the whole began, and
  // looked at only where there is a deadline.
  RunOptions options_left(RunOptions options, std::chrono::steady_clock::time_point begin) const;

  // Once it has ended well, with the report of all its parts, to which the changes are added, and
  // the wall time of them.
  void finish(RunReport& report, double seconds);

 private:
  void plan_look(double seconds);

  std::shared_ptr<const DeviceCosts> costs_;
  WorkKey key_;
  WorkFeatures known_;
  RunHistory::Place* const place_;
  RunChoice choice_;
  Policy policy_;
  std::chrono::nanoseconds look_after_ = std::chrono::nanoseconds::max();
  std::uint64_t switches_ = 0;
  double waves_ = 0;  // As the whole run would have in waves, seen at a change.
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_AUTOMATIC_RUN_H_
