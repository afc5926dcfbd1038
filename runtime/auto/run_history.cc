// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/assumed_growth.h>
#include <millrace/runtime/auto/run_history.h>
#include <millrace/runtime/auto/type_mix.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <limits>

namespace millrace {
namespace {

constexpr std::uint32_t kRunsBeforeRetry = 32;      // Runs before a close policy is tried again.
constexpr std::uint32_t kRunsBeforeRetryAll = 128;  // Runs before other policies are tried again.
constexpr double kMostToTry = 4;  // Multiple of the best time; the model's error is a factor of 2.
constexpr double kMostToTryAgain = 1.25;
constexpr double kLeastGain = 1.03;  // The last choice is kept if times are nearly the same.
constexpr std::size_t kMostShapes = 8;
constexpr std::uint32_t kSettledRuns = 16;
constexpr double kOther = 2;  // Factor between times that are not of the same work.
constexpr std::uint32_t kRunsBeforeReturn = 4;  // Doubled each time that a policy is left.
constexpr std::uint32_t kMostDoublings = 16;

constexpr double kUnknown = std::numeric_limits<double>::infinity();

template <class Values>
std::size_t least(const Values& values) {
  return static_cast<std::size_t>(std::min_element(values.begin(), values.end()) - values.begin());
}

int binary_digits(double count) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count)));
}

// Returns 1 if the time is too long, or -1 if it is too short, to be of the same work; else 0.
int other_work(double seconds, double expected) {
  if (seconds > kOther * expected) return 1;
  return kOther * seconds < expected ? -1 : 0;
}

RunChoice unknown(const WorkFeatures& known, const DeviceCosts& costs) {
  const WorkFeatures work = assumed_growth(known);
  const Policy policy = choose_policy(work, costs);
  return {.policy = policy, .work = work, .seconds = predict_seconds(policy, work, costs)};
}

}  // namespace

MixClass mix_class_of(const std::optional<double>& gini_simpson) {
  constexpr double kMostOfOneType = 1.0 / 32;  // Less than 1.6 % of items are of another type.
  constexpr double kMostSkewed = 1.0 / 4;      // Less than 15 % of items are of another type.
  if (!gini_simpson.has_value()) return MixClass::kUnknown;
  if (*gini_simpson < kMostOfOneType) return MixClass::kOneType;
  return *gini_simpson < kMostSkewed ? MixClass::kSkewed : MixClass::kMixed;
}

RunHistory& RunHistory::instance() {
  static auto* const history = new RunHistory;  // Not destroyed: runs may outlive statics.
  return *history;
}

WorkFeatures RunHistory::features(const Shape& shape, const WorkFeatures& known) {
  WorkFeatures work = known;
  work.items = std::max(shape.items, known.roots);
  const double growth = std::max(work.items / std::max(known.roots, 1.0), 1.0);
  work.waves = shape.waves > 0 ? shape.waves : std::ceil(std::log2(growth)) + 1;
  if (!work.gini_simpson.has_value()) work.gini_simpson = shape.gini_simpson;
  return work;
}

RunHistory::Estimates RunHistory::estimates(const Shape& shape, const WorkFeatures& work,
                                            const DeviceCosts& costs) {
  Estimates all;
  std::size_t tried = 0;
  for (std::size_t i = 0; i < kPolicies; ++i) {
    const bool is_tried = shape.times[i].runs() > 0;
    all.measured[i] = is_tried ? shape.times[i].seconds() * work.items : kUnknown;
    tried += is_tried ? 1 : 0;
  }
  const std::size_t best = least(all.measured);
  WorkFeatures with_work = work;
  double scale = 1;
  if (all.measured[best] < kUnknown) {
    const Policy policy = kConcretePolicies[best];
    with_work.item_seconds = implied_item_seconds(policy, work, all.measured[best], costs);
    scale = all.measured[best] / predict_seconds(policy, with_work, costs);
  }
  for (std::size_t i = 0; i < kPolicies; ++i) {
    const double guess = scale * predict_seconds(kConcretePolicies[i], with_work, costs);
    // The first run of a policy includes its set-up.
    const bool is_sure = shape.times[i].runs() > 1;
    all.expected[i] = is_sure ? all.measured[i] : std::min(guess, all.measured[i]);
  }
  if (work.opens_joins && work.items > kMostJoinItemsInWaves) {
    for (std::size_t i = 0; i < kPolicies; ++i) {
      const bool has_waves = kConcretePolicies[i] != Policy::kPersistentThreads;
      if (has_waves && shape.times[i].runs() == 0) all.expected[i] = kUnknown;
    }
  }
  const std::size_t left = shape.demoted;
  if (left < kPolicies) {
    const bool has_run = shape.times[left].runs() > 0;
    const bool is_soon = shape.runs_since < kRunsBeforeReturn << shape.demotions;
    if (has_run ? tried == 1 : is_soon) all.measured[left] = all.expected[left] = kUnknown;
  }
  return all;
}

RunHistory::Kind* RunHistory::find(const WorkKey& key, CachedKind* cached) {
  if (cached != nullptr && cached->generation_ == generation_ && *cached->key_ == key) {
    return cached->kind_;
  }
  const auto found = kinds_.find(key);
  if (found == kinds_.end()) return nullptr;
  if (cached != nullptr) {
    cached->kind_ = &found->second;
    cached->key_ = &found->first;
    cached->generation_ = generation_;
  }
  return &found->second;
}

RunChoice RunHistory::choose(const WorkKey& key, const WorkFeatures& known,
                             const DeviceCosts& costs, CachedKind* cached) {
  const std::lock_guard lock(mutex_);
  Kind* const kind = find(key, cached);
  if (kind == nullptr) return unknown(known, costs);
  Shape& shape = kind->shapes[kind->last];
  const WorkFeatures work = features(shape, known);
  if (shape.settled_runs > 0) {
    --shape.settled_runs;
    return {.policy = kConcretePolicies[shape.last],
            .work = work,
            .seconds = shape.settled_seconds,
            .is_known = true,
            .has_waves = shape.waves > 0};
  }
  const Estimates seconds = estimates(shape, work, costs);
  const bool is_measured = seconds.measured[least(seconds.measured)] < kUnknown;
  const auto& likely = is_measured ? seconds.measured : seconds.expected;
  std::size_t best = least(likely);
  if (shape.last < kPolicies && likely[shape.last] <= kLeastGain * likely[best]) {
    best = shape.last;
  }
  RunChoice choice{.policy = kConcretePolicies[best],
                   .work = work,
                   .seconds = likely[best],
                   .is_known = true,
                   .has_waves = shape.waves > 0};
  std::size_t other = kPolicies;
  for (std::size_t i = 0; i < kPolicies; ++i) {
    if (i == best || !is_measured || !should_try(shape, i, seconds, likely[best])) continue;
    if (i == shape.tried) {
      other = i;
      break;
    }
    if (other == kPolicies || seconds.expected[i] < seconds.expected[other]) other = i;
  }
  shape.tried = other;
  if (other < kPolicies) {
    choice.policy = kConcretePolicies[other];
    choice.is_trial = true;
    choice.seconds = seconds.expected[other];
  } else {
    shape.last = best;
    if (shape.times[best].runs() >= kTries) {
      shape.settled_runs = kSettledRuns;
      shape.settled_seconds = choice.seconds;
    }
  }
  return choice;
}

bool RunHistory::should_try(const Shape& shape, std::size_t policy, const Estimates& seconds,
                            double best_seconds) {
  const std::uint32_t runs = shape.times[policy].runs();
  const double expected = seconds.expected[policy];
  if (expected > kMostToTry * best_seconds) return false;
  if (runs >= kTries) {
    std::uint32_t all_runs = 0;
    for (const Times& times : shape.times) all_runs += times.runs();
    const bool is_close = expected <= kMostToTryAgain * best_seconds;
    const int doublings =
        std::bit_width(all_runs / (is_close ? kRunsBeforeRetry : kRunsBeforeRetryAll));
    if (runs >= kTries * (1 + static_cast<std::uint32_t>(doublings))) return false;
  }
  const double extra = std::max(expected - best_seconds, 0.0);
  return shape.trial_seconds + extra <=
         std::max(kFreeTrialSeconds, kMostTrialFraction * shape.all_seconds);
}

RunHistory::Shape& RunHistory::shape_for(const WorkKey& key, const RunReport& report,
                                         CachedKind* cached) {
  Kind* own = find(key, cached);
  if (own == nullptr) {
    if (kinds_.size() >= kMostKinds) forget_all();
    own = &kinds_[key];
  }
  Kind& kind = *own;
  const auto items = static_cast<double>(report.tasks());
  const double mix = gini_simpson(report.tasks_by_type);
  const int size_class = binary_digits(items);
  const MixClass mix_class = mix_class_of(mix);
  const auto found = std::ranges::find_if(kind.shapes, [&](const Shape& shape) {
    return shape.size_class == size_class && shape.mix_class == mix_class;
  });
  kind.last = static_cast<std::size_t>(found - kind.shapes.begin());
  if (found == kind.shapes.end()) {
    if (kind.shapes.size() == kMostShapes) kind.shapes.clear();
    kind.last = kind.shapes.size();
    kind.shapes.push_back({.size_class = size_class, .mix_class = mix_class});
  }
  Shape& shape = kind.shapes[kind.last];
  shape.items = items;
  shape.gini_simpson = mix;
  return shape;
}

void RunHistory::add(const WorkKey& key, const RunChoice& choice, const RunReport& report,
                     double seconds, CachedKind* cached) {
  if (report.tasks() == 0) return;
  const std::lock_guard lock(mutex_);
  Shape& shape = shape_for(key, report, cached);
  if (report.waves > 0) shape.waves = static_cast<double>(report.waves);
  shape.all_seconds += seconds;
  ++shape.runs_since;
  const std::size_t own = DeviceCosts::index_of(report.policy);
  if (choice.is_trial) shape.trial_seconds += extra_seconds(shape, own, seconds);
  if (shape.times[own].add(seconds / shape.items)) {
    for (std::size_t i = 0; i < kPolicies; ++i) {
      if (i != own) shape.times[i] = {};
    }
    shape.demoted = kPolicies;
    shape.demotions = 0;
  }
  if (other_work(seconds, shape.settled_seconds) != 0) shape.settled_runs = 0;
}

double RunHistory::extra_seconds(const Shape& shape, std::size_t own, double seconds) {
  double quickest = seconds;
  for (std::size_t i = 0; i < kPolicies; ++i) {
    if (i == own || shape.times[i].runs() == 0) continue;
    quickest = std::min(quickest, shape.times[i].seconds() * shape.items);
  }
  return seconds - quickest;
}

bool RunHistory::Times::add(double seconds) {
  push(seconds);
  if (runs_ == kTries) first_ = this->seconds();
  if (runs_ <= kTries) return false;
  const int change = other_work(seconds, first_);
  longer_ = change * longer_ < 0 ? change : change == 0 ? 0 : longer_ + change;
  if (static_cast<std::uint32_t>(std::abs(longer_)) < kTries) return false;
  std::array<double, kTries> kept{};
  for (std::uint32_t i = 0; i < kTries; ++i) {
    kept[i] = last_[(runs_ - kTries + i) % last_.size()];
  }
  *this = {};
  for (const double last : kept) push(last);
  first_ = this->seconds();
  return true;
}

double RunHistory::Times::seconds() const {
  auto sorted = last_;
  const auto end = sorted.begin() + std::min<std::ptrdiff_t>(runs_, std::ssize(sorted));
  const auto quartile = sorted.begin() + (end - sorted.begin()) / 4;
  std::nth_element(sorted.begin(), quartile, end);
  return *quartile;
}

void RunHistory::add_switched(const WorkKey& key, const RunReport& report, Policy from,
                              double waves) {
  const std::lock_guard lock(mutex_);
  Shape& shape = shape_for(key, report, nullptr);
  if (waves > 0) shape.waves = waves;
  shape.last = DeviceCosts::index_of(report.policy);
  if (from != report.policy) {
    shape.demoted = DeviceCosts::index_of(from);
    shape.demotions = std::min(shape.demotions + 1, kMostDoublings);
    shape.runs_since = 0;
  }
  shape.settled_runs = 0;
}

void RunHistory::forget() {
  const std::lock_guard lock(mutex_);
  forget_all();
}

void RunHistory::forget_all() {
  kinds_.clear();
  ++generation_;
}

}  // namespace millrace
