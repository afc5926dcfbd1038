// SPDX-License-Identifier: Apache-2.0

// The history of this process's runs under kAuto, from which later runs choose their policy.
//
// The time of a policy that has not been tried on a queue of this kind is predicted from those that
// have, by the ratios of the model (policy_model.h). A policy is tried in up to four runs if its
// predicted time is at most four times the best one's, as long as the time that trials have cost
// beyond the best policy's time stays within a sixteenth of the time of all runs of the kind, or
// within 2 ms. If the model is wrong, a trial costs more, and there is no other until its cost is
// within that fraction. Waves are not tried on more than kMostJoinItemsInWaves items of a set that
// opens joins, since they would keep the joins of up to half of the items open.
//
// Trials may have been disturbed. So, a policy within a quarter of the best time is tried four
// times more whenever the number of runs has doubled, from 32 on; one that is slower, from 128 on.
// A policy's trials follow one another, because the first run after another policy finds that one's
// data in the caches. If nothing is left to try, the choice is kept for 16 runs, or until one takes
// twice or half the expected time, because a choice takes as long as a sixth of a short run
// (docs/experiments/does_auto_find_the_best_policy.md).
//
// Tasks of the same set may be of another length. Once four runs in succession under a policy have
// taken more than twice, or less than half, of what its first runs took for an item, earlier times
// of all policies are discarded: they are of other work.
#ifndef MILLRACE_RUNTIME_AUTO_RUN_HISTORY_H_
#define MILLRACE_RUNTIME_AUTO_RUN_HISTORY_H_

#include <millrace/runtime/auto/policy_model.h>
#include <millrace/runtime/tasks/run_report.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <typeindex>
#include <vector>

namespace millrace {

// Classes of the Gini-Simpson index of types (type_mix.h).
enum class MixClass { kUnknown, kOneType, kSkewed, kMixed };
MixClass mix_class_of(const std::optional<double>& gini_simpson);

// Identifies runs that are alike: one type of roots of one task set on one device.
struct WorkKey {
  int size_class = 0;                       // Number of binary digits of the number of roots.
  MixClass mix_class = MixClass::kUnknown;  // Class that is known before the run.
  double workers = 1;                       // DeviceCosts::workers.
  std::type_index roots;                    // Type of the roots.
  std::string device;                       // DeviceInfo::name.

  std::partial_ordering operator<=>(const WorkKey&) const = default;
};

// The choice for a run, with its expected features.
struct RunChoice {
  Policy policy = Policy::kAuto;
  WorkFeatures work{};
  double seconds = 0;      // Time expected from the model or earlier runs.
  bool is_known = false;   // True if there was a run of this kind.
  bool has_waves = false;  // True if its number of waves is known.
  bool is_trial = false;   // True if another policy is the best known one.
};

// Thread-safe. Keeps kMostKinds kinds of runs, then discards all and starts again.
class RunHistory {
  struct Kind;

 public:
  // Caches the address of a kind between calls, because a search after a short run misses the
  // processor's caches. Belongs to one type of roots and has static storage duration.
  class CachedKind {
    friend class RunHistory;
    Kind* kind_ = nullptr;
    std::uint64_t generation_ = 0;
    const WorkKey* key_ = nullptr;
  };

  static constexpr std::size_t kMostKinds = 512;
  static constexpr double kMostTrialFraction = 1.0 / 16;
  static constexpr double kFreeTrialSeconds = 2e-3;
  static constexpr double kMostJoinItemsInWaves = 1 << 24;

  // Returns the one history of the process.
  static RunHistory& instance();

  // Returns the choice for a run with the features `known`. `cached` is null or belongs to the
  // key's type of roots.
  RunChoice choose(const WorkKey& key, const WorkFeatures& known, const DeviceCosts& costs,
                   CachedKind* cached = nullptr);

  // Adds a run that ended without an error and without a change of policy, and its wall time.
  void add(const WorkKey& key, const RunChoice& choice, const RunReport& report, double seconds,
           CachedKind* cached = nullptr);

  // Adds a run that began under `from` and changed its policy. Unless it changed back, `from` is
  // not tried in the next 8 runs, and each time that it is left again in twice as many. `waves` is
  // the number of waves of the whole run, or 0 if it is unknown.
  void add_switched(const WorkKey& key, const RunReport& report, Policy from, double waves);

  // Discards all runs.
  void forget();

 private:
  static constexpr std::size_t kPolicies = std::size(kConcretePolicies);
  static constexpr std::uint32_t kTries = 4;  // Runs in which a policy is tried.

  // The seconds of an item in the last runs of one policy. Their lower quartile is used: the median
  // is too large, because disturbances make runs longer, and the minimum is too small, because some
  // short runs happen to find their threads awake.
  class Times {
   public:
    std::uint32_t runs() const { return runs_; }
    double seconds() const;  // Requires a run.

    // Returns true if this run and the last ones before it, kTries in all, are of other work than
    // the first kTries. Times before them are then discarded.
    bool add(double seconds);

   private:
    void push(double seconds) { last_[runs_++ % last_.size()] = seconds; }

    std::uint32_t runs_ = 0;
    std::array<double, 12> last_{};
    double first_ = 0;  // seconds() after kTries runs; 0 before.
    int longer_ = 0;    // Number of last runs that took much longer, or the negative number of
                        // those that took much less time.
  };

  // Runs of one size and mix.
  struct Shape {
    int size_class = 0;  // Number of binary digits of the number of items.
    MixClass mix_class = MixClass::kUnknown;
    double items = 0;
    double gini_simpson = 0;
    double waves = 0;  // Number of waves; 0 if it is unknown.
    std::array<Times, kPolicies> times{};
    std::size_t last = kPolicies;     // Policy that was chosen last.
    std::size_t tried = kPolicies;    // Policy that was last chosen for a trial.
    std::size_t demoted = kPolicies;  // Policy that a run was moved away from.
    std::uint32_t demotions = 0;      // Number of such runs.
    std::uint32_t runs_since = 0;     // Runs since the last of them.
    double all_seconds = 0;
    double trial_seconds = 0;
    std::uint32_t settled_runs = 0;  // Number of runs before the next evaluation.
    double settled_seconds = 0;      // Expected time of these runs.
  };

  struct Kind {
    std::vector<Shape> shapes;
    std::size_t last = 0;
  };

  // Seconds of a run by policy.
  struct Estimates {
    std::array<double, kPolicies> measured{};  // Infinite for a policy that has not run.
    std::array<double, kPolicies> expected{};  // Infinite for a policy that must not be chosen.
  };

  void forget_all();
  // Returns the kind of the key, or null if there is none.
  Kind* find(const WorkKey& key, CachedKind* cached);
  Shape& shape_for(const WorkKey& key, const RunReport& report, CachedKind* cached);
  static WorkFeatures features(const Shape& shape, const WorkFeatures& known);
  static Estimates estimates(const Shape& shape, const WorkFeatures& work,
                             const DeviceCosts& costs);
  // Returns true if a policy that is not the best known one should be tried.
  static bool should_try(const Shape& shape, std::size_t policy, const Estimates& seconds,
                         double best_seconds);
  // Returns the time by which a run took longer than the fastest other policy would have.
  static double extra_seconds(const Shape& shape, std::size_t own, double seconds);

  std::mutex mutex_;
  std::map<WorkKey, Kind> kinds_;
  // Incremented when kinds_ is cleared, which invalidates every CachedKind.
  std::uint64_t generation_ = 1;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_RUN_HISTORY_H_
