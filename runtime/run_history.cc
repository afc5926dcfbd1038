#include <millrace/runtime/run_history.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace millrace {
namespace {

constexpr std::uint32_t kTries = 4;
constexpr double kMostToTry = 2;        // Times the best policy's time.
constexpr double kWorthAChange = 1.03;  // Of times that are nearly the same, the last choice stays.
constexpr std::size_t kMostShapes = 8;
constexpr std::uint32_t kSettledRuns = 16;
constexpr double kUnsettling = 2;  // Times what was expected.

int binary_digits(double count) {
  return count < 1 ? 0 : static_cast<int>(std::floor(std::log2(count))) + 1;
}

RunChoice unknown(const WorkFeatures& known, const DeviceCosts& costs) {
  const WorkFeatures work = assumed_growth(known);
  const Policy policy = choose_policy(work, costs);
  return {.policy = policy, .work = work, .seconds = predict_seconds(policy, work, costs)};
}

}  // namespace

RunHistory& RunHistory::instance() {
  static auto* const history = new RunHistory;  // Runs may outlive static objects.
  return *history;
}

WorkFeatures RunHistory::features(const Shape& shape, const WorkFeatures& known) {
  WorkFeatures work = known;
  work.items = std::max(shape.items, known.roots);
  const double growth = std::max(work.items / std::max(known.roots, 1.0), 1.0);
  work.waves = shape.waves > 0 ? shape.waves : std::ceil(std::log2(growth)) + 1;
  return work;
}

// Seconds of a run by policy.
std::array<double, RunHistory::kPolicies> RunHistory::estimates(const Shape& shape,
                                                                const WorkFeatures& work,
                                                                const DeviceCosts& costs) {
  const auto measured = [&](std::size_t i) { return shape.times[i].seconds() * work.items; };
  std::size_t best = kPolicies;
  for (std::size_t i = 0; i < kPolicies; ++i) {
    if (shape.times[i].runs() == 0) continue;
    if (best == kPolicies || measured(i) < measured(best)) best = i;
  }
  WorkFeatures with_work = work;
  double scale = 1;
  if (best < kPolicies) {
    const Policy policy = kConcretePolicies[best];
    with_work.item_seconds = implied_item_seconds(policy, work, measured(best), costs);
    scale = measured(best) / predict_seconds(policy, with_work, costs);
  }
  std::array<double, kPolicies> seconds{};
  for (std::size_t i = 0; i < kPolicies; ++i) {
    const double guess = scale * predict_seconds(kConcretePolicies[i], with_work, costs);
    switch (shape.times[i].runs()) {
      case 0: seconds[i] = guess; break;
      case 1: seconds[i] = std::min(guess, measured(i)); break;  // The first has much to set up.
      default: seconds[i] = measured(i);
    }
    if (i == shape.demoted && shape.times[i].runs() == 0) {
      seconds[i] = std::numeric_limits<double>::infinity();
    }
  }
  return seconds;
}

RunChoice RunHistory::choose(const WorkKey& key, const WorkFeatures& known,
                             const DeviceCosts& costs) {
  const std::lock_guard lock(mutex_);
  const auto found = kinds_.find(key);
  if (found == kinds_.end()) return unknown(known, costs);
  Shape& shape = found->second.shapes[found->second.last];
  const WorkFeatures work = features(shape, known);
  if (shape.settled_runs > 0) {
    --shape.settled_runs;
    return {.policy = kConcretePolicies[shape.last],
            .work = work,
            .seconds = shape.settled_seconds,
            .is_known = true};
  }
  const auto seconds = estimates(shape, work, costs);
  std::size_t best =
      static_cast<std::size_t>(std::min_element(seconds.begin(), seconds.end()) - seconds.begin());
  if (shape.last < kPolicies && seconds[shape.last] <= kWorthAChange * seconds[best]) {
    best = shape.last;
  }
  RunChoice choice{
      .policy = kConcretePolicies[best], .work = work, .seconds = seconds[best], .is_known = true};
  const double allowed = std::max(kFreeTrialSeconds, kMostTrialShare * shape.all_seconds);
  std::size_t other = kPolicies;
  for (std::size_t i = 0; i < kPolicies; ++i) {
    if (i == best || shape.times[i].runs() >= kTries || shape.times[best].runs() == 0) continue;
    if (seconds[i] > kMostToTry * seconds[best]) continue;
    if (shape.trial_seconds + seconds[i] - seconds[best] > allowed) continue;
    if (other == kPolicies || seconds[i] < seconds[other]) other = i;
  }
  if (other < kPolicies) {
    choice.policy = kConcretePolicies[other];
    choice.is_trial = true;
    choice.extra_seconds = std::max(seconds[other] - seconds[best], 0.0);
    choice.seconds = seconds[other];
  } else {
    shape.last = best;
    if (shape.times[best].runs() >= kTries) {
      shape.settled_runs = kSettledRuns;
      shape.settled_seconds = choice.seconds;
    }
  }
  return choice;
}

RunHistory::Shape& RunHistory::shape_for(const WorkKey& key, const RunReport& report) {
  if (kinds_.size() >= kMostKinds && kinds_.find(key) == kinds_.end()) kinds_.clear();
  Kind& kind = kinds_[key];
  const auto items = static_cast<double>(report.tasks());
  const int size_class = binary_digits(items);
  const auto found = std::ranges::find(kind.shapes, size_class, &Shape::size_class);
  kind.last = static_cast<std::size_t>(found - kind.shapes.begin());
  if (found == kind.shapes.end()) {
    if (kind.shapes.size() == kMostShapes) kind.shapes.clear();
    kind.last = kind.shapes.size();
    kind.shapes.push_back({.size_class = size_class});
  }
  Shape& shape = kind.shapes[kind.last];
  shape.items = items;
  return shape;
}

void RunHistory::add(const WorkKey& key, const RunChoice& choice, const RunReport& report,
                     double seconds) {
  if (report.tasks() == 0) return;
  const std::lock_guard lock(mutex_);
  Shape& shape = shape_for(key, report);
  if (report.waves > 0) shape.waves = static_cast<double>(report.waves);
  shape.all_seconds += seconds;
  if (choice.is_trial) shape.trial_seconds += choice.extra_seconds;
  shape.times[DeviceCosts::place_of(report.policy)].add(seconds / shape.items);
  if (seconds > kUnsettling * shape.settled_seconds) shape.settled_runs = 0;
}

void RunHistory::Times::add(double seconds) {
  if (runs_ % kWindow == 0) {
    before_ = now_;
    now_ = seconds;
  }
  now_ = std::min(now_, seconds);
  ++runs_;
}

void RunHistory::add_switched(const WorkKey& key, const RunReport& report, Policy from,
                              double waves) {
  const std::lock_guard lock(mutex_);
  Shape& shape = shape_for(key, report);
  if (waves > 0) shape.waves = waves;
  shape.last = DeviceCosts::place_of(report.policy);
  shape.demoted = DeviceCosts::place_of(from);
  shape.settled_runs = 0;
}

void RunHistory::forget() {
  const std::lock_guard lock(mutex_);
  kinds_.clear();
}

}  // namespace millrace
