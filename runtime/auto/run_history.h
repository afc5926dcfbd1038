// SPDX-License-Identifier: Apache-2.0

// What this process has learned of its task sets from their runs under kAuto.
//
// A policy that has not been tried on a queue of this kind is predicted from those that have: the
// model (policy_model.h) says how the times relate. Where that leaves a doubt, it is tried: in up
// to four runs, if it is predicted to take at most four times the best one's time, and as long as
// what trying has cost beyond the best policy's time stays within a sixteenth of the time of all
// runs of the kind, or within 2 ms. Where the model is wrong a trial costs more; then there is no
// other before that is as small a share. Few trials may have met with a disturbance: one that was
// seen to be within a quarter of the best one's time is tried four times more whenever the number
// of runs has doubled, from 32 on, and one further off from 128 on. A policy's trials follow one
// another, because the first run behind another policy finds what that one has left in the caches.
// Where nothing is left to be tried, the choice stands for 16 runs, or until one takes twice what
// was expected: to think of it takes as long as a sixth of a short run.
#ifndef MILLRACE_RUNTIME_AUTO_RUN_HISTORY_H_
#define MILLRACE_RUNTIME_AUTO_RUN_HISTORY_H_

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

#include <millrace/runtime/auto/policy_model.h>
#include <millrace/runtime/tasks/run_report.h>

namespace millrace {

// How evenly types are mixed, coarsely, by their Gini-Simpson index (type_mix.h).
enum class MixClass { kUnknown, kOneType, kSkewed, kMixed };
MixClass mix_class_of(const std::optional<double>& gini_simpson);

// Runs that are alike: of one kind of roots of one task set, on one device with so many workers.
struct WorkKey {
  int size_class = 0;                       // The roots' number of binary digits.
  MixClass mix_class = MixClass::kUnknown;  // As far as it is known before the run.
  double workers = 1;
  std::type_index roots;
  std::string device;

  std::partial_ordering operator<=>(const WorkKey&) const = default;
};

// What a run is expected to be like.
struct RunChoice {
  Policy policy = Policy::kAuto;
  WorkFeatures work{};
  double seconds = 0;     // As the model or earlier runs say.
  bool is_known = false;  // Such a run has been there.
  bool is_trial = false;  // Another policy is the best known one.
};

// Safe from any thread. Keeps kinds of runs up to a number, then begins anew.
class RunHistory {
  struct Kind;

 public:
  // Where a kind was found last: spares who asks for one again the search, for which a short run
  // has left nothing in the caches. Of one kind of roots; lives as long as the program.
  class Place {
    friend class RunHistory;
    Kind* kind_ = nullptr;
    std::uint64_t generation_ = 0;
    const WorkKey* key_ = nullptr;
  };

  static constexpr std::size_t kMostKinds = 512;
  static constexpr double kMostTrialShare = 1.0 / 16;
  static constexpr double kFreeTrialSeconds = 2e-3;

  // The process's.
  static RunHistory& instance();

  // For a run whose roots, types and so on are `known`. `place`, if any, is of the key's roots.
  RunChoice choose(const WorkKey& key, const WorkFeatures& known, const DeviceCosts& costs,
                   Place* place = nullptr);

  // A run that ended well without changing its policy, and the wall time it took.
  void add(const WorkKey& key, const RunChoice& choice, const RunReport& report, double seconds,
           Place* place = nullptr);

  // A run that began under `from` and was taken out of it: unless it came back, the next are not to
  // begin there before another policy has been seen to be slower. `waves` as the run would have
  // had, or 0.
  void add_switched(const WorkKey& key, const RunReport& report, Policy from, double waves);

  void forget();

 private:
  static constexpr std::size_t kPolicies = std::size(kConcretePolicies);

  // Of an item, in the runs of one policy: the lower quartile of the last runs. What disturbs a run
  // makes it longer, so the median says too much; and where now and then a run is lucky, as short
  // ones are whose threads happen to be awake, the least says too little.
  class Times {
   public:
    std::uint32_t runs() const { return runs_; }
    double seconds() const;  // After the first.
    void add(double seconds) { last_[runs_++ % last_.size()] = seconds; }

   private:
    std::uint32_t runs_ = 0;
    std::array<double, 12> last_{};
  };

  // Runs of one size and mix.
  struct Shape {
    int size_class = 0;  // The items' number of binary digits.
    MixClass mix_class = MixClass::kUnknown;
    double items = 0;
    double gini_simpson = 0;
    double waves = 0;  // 0 is not known.
    std::array<Times, kPolicies> times{};
    std::size_t last = kPolicies;     // The policy that was chosen last.
    std::size_t tried = kPolicies;    // The last that was chosen for a trial.
    std::size_t demoted = kPolicies;  // One that was left in the middle of a run.
    double all_seconds = 0;
    double trial_seconds = 0;
    std::uint32_t settled_runs = 0;  // Until the choice is thought of again.
    double settled_seconds = 0;      // What it is expected to take.
  };

  struct Kind {
    std::vector<Shape> shapes;
    std::size_t last = 0;
  };

  // Seconds of a run by policy.
  struct Estimates {
    std::array<double, kPolicies> measured{};  // Infinite for one that has not run.
    std::array<double, kPolicies> expected{};  // Infinite for one not to begin with.
  };

  void forget_all();
  // Null where there is none.
  Kind* find(const WorkKey& key, Place* place);
  Shape& shape_for(const WorkKey& key, const RunReport& report, Place* place);
  static WorkFeatures features(const Shape& shape, const WorkFeatures& known);
  static Estimates estimates(const Shape& shape, const WorkFeatures& work,
                             const DeviceCosts& costs);
  // Whether to try a policy that is not `best`, of which `seconds` are known or expected.
  static bool is_worth_a_trial(const Shape& shape, std::size_t policy, const Estimates& seconds,
                               double best_seconds);
  // By which a run under a policy took longer than it would have under the quickest other one.
  static double extra_seconds(const Shape& shape, std::size_t own, double seconds);

  std::mutex mutex_;
  std::map<WorkKey, Kind> kinds_;
  std::uint64_t generation_ = 1;  // Of kinds_: places of others are void.
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_RUN_HISTORY_H_
