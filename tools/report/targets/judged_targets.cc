// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/curve.h>
#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/targets/judged_targets.h>

#include <fnmatch.h>

#include <algorithm>
#include <optional>
#include <set>

namespace millrace::tools {
namespace {

using Measurements = std::vector<const Measurement*>;

bool has_form(const std::optional<std::string>& pattern, const std::string& name) {
  return !pattern || fnmatch(pattern->c_str(), name.c_str(), 0) == 0;
}

bool is_configuration(const ContenderPattern& pattern, const Measurement& each) {
  return has_form(pattern.workload, each.workload) && has_form(pattern.input, each.input) &&
         (!pattern.size || *pattern.size == each.size) && has_form(pattern.device, each.device);
}

bool is_contender(const ContenderPattern& pattern, const Measurement& each) {
  const bool is_of_peer =
      pattern.peer ? !each.peer.empty() && has_form(pattern.peer, each.peer) : each.peer.empty();
  return is_of_peer && has_form(pattern.policy, each.policy) &&
         has_form(pattern.strategy, each.strategy);
}

bool is_same_configuration(const Measurement& a, const Measurement& b) {
  return a.workload == b.workload && a.input == b.input && a.size == b.size && a.device == b.device;
}

// Completes the pattern of a ratio's other side by the configuration of `own`.
bool is_other(const ContenderPattern& pattern, const Measurement& own, const Measurement& each) {
  return is_contender(pattern, each) && is_configuration(pattern, each) &&
         (pattern.workload || each.workload == own.workload) &&
         (pattern.input || each.input == own.input) && (pattern.size || each.size == own.size) &&
         (pattern.device || each.device == own.device);
}

// Returns true if the measurement has a figure of that kind.
bool has_figure(const Target& target, const Measurement& each) {
  if (each.status != MeasurementStatus::kOk) return false;
  if (target.figure == FigureKind::kLimitFraction) return each.limit_fraction.has_value();
  return target.figure != FigureKind::kValue || each.values.contains(target.value);
}

std::string reason_of(const Target& target, const Measurement& each) {
  switch (each.status) {
    case MeasurementStatus::kWrong: return "wrong result: " + each.message;
    case MeasurementStatus::kUnsupported: return "not supported: " + each.message;
    case MeasurementStatus::kFailed: return "failed: " + each.message;
    case MeasurementStatus::kOk: break;
  }
  return target.figure == FigureKind::kValue ? "has no value '" + target.value + "'"
                                             : "has no limit";
}

// Returns the fastest of `all` that `is_choice` takes; null if there is none.
template <class IsChoice>
const Measurement* fastest(const Measurements& all, const IsChoice& is_choice) {
  const Measurement* best = nullptr;
  for (const Measurement* each : all) {
    if (!is_choice(*each)) continue;
    if (best == nullptr || rate_of(*each).value > rate_of(*best).value) best = each;
  }
  return best;
}

void set_figure(JudgedTarget& judged, double figure, double low, double high) {
  judged.figure = figure;
  judged.low = low;
  judged.high = high;
}

void set_figure(JudgedTarget& judged) {
  const Measurement& own = *judged.measurement;
  const Rate rate = rate_of(own);
  switch (judged.target->figure) {
    case FigureKind::kRate: return set_figure(judged, rate.value, rate.low, rate.high);
    case FigureKind::kTime:
      return set_figure(judged, own.median_seconds, own.low_seconds, own.high_seconds);
    case FigureKind::kLimitFraction:
      return set_figure(judged, *own.limit_fraction, *own.limit_fraction * rate.low / rate.value,
                        *own.limit_fraction * rate.high / rate.value);
    case FigureKind::kRatio: {
      const Rate other = rate_of(*judged.other);
      return set_figure(judged, rate.value / other.value, rate.low / other.high,
                        rate.high / other.low);
    }
    case FigureKind::kValue: {
      const double value = own.values.at(judged.target->value);
      return set_figure(judged, value, value, value);
    }
  }
}

TargetVerdict verdict_of(const JudgedTarget& judged) {
  const double bar = judged.target->bar;
  if (judged.target->is_least) {
    return judged.low >= bar   ? TargetVerdict::kMet
           : judged.high < bar ? TargetVerdict::kMissed
                               : TargetVerdict::kNotKnown;
  }
  return judged.high <= bar ? TargetVerdict::kMet
         : judged.low > bar ? TargetVerdict::kMissed
                            : TargetVerdict::kNotKnown;
}

// Finds the other side of a ratio. Returns false, with a reason, if it has no time.
bool find_other(JudgedTarget& judged, const Measurements& all) {
  const auto is_choice = [&](const Measurement& each) {
    return is_other(judged.target->to, *judged.measurement, each);
  };
  judged.other = fastest(all, [&](const Measurement& each) {
    return each.status == MeasurementStatus::kOk && is_choice(each);
  });
  if (judged.other != nullptr) return true;
  const auto without_time =
      std::ranges::find_if(all, [&](const Measurement* each) { return is_choice(*each); });
  judged.reason = without_time == all.end() ? "the other side of the ratio was not measured"
                                            : contender_of(**without_time) + ": " +
                                                  reason_of(*judged.target, **without_time);
  return false;
}

JudgedTarget judge(const Target& target, const Measurement& configuration,
                   const Measurements& all) {
  JudgedTarget judged;
  judged.target = &target;
  judged.measurement = &configuration;
  const Measurement* const own = fastest(all, [&](const Measurement& each) {
    return has_figure(target, each) && is_same_configuration(configuration, each) &&
           is_contender(target.of, each);
  });
  if (own == nullptr) {
    judged.reason = reason_of(target, configuration);
    return judged;
  }
  judged.measurement = own;
  if (target.figure == FigureKind::kRatio && !find_other(judged, all)) return judged;
  set_figure(judged);
  const bool needs_interval = target.figure != FigureKind::kValue;
  if (needs_interval &&
      (!has_interval(*own) || (judged.other != nullptr && !has_interval(*judged.other)))) {
    judged.verdict = TargetVerdict::kNotKnown;
    judged.reason = "fewer than six runs";
    return judged;
  }
  judged.verdict = verdict_of(judged);
  return judged;
}

// Returns the measurements on devices that the set is for, in order.
Measurements chosen(const TargetSet& set, const Results& results) {
  std::set<std::string> devices;
  for (const DeviceRecord& device : results.devices) {
    if (has_form(set.device, device.description)) devices.insert(device.name);
  }
  Measurements all;
  for (const Measurement& each : results.measurements) {
    if (devices.contains(each.device)) all.push_back(&each);
  }
  return all;
}

bool is_for(const TargetSet& set, const Results& results) {
  return has_form(set.label, results.machine.label) &&
         (!set.device || std::ranges::any_of(results.devices, [&](const DeviceRecord& device) {
           return has_form(set.device, device.description);
         }));
}

// Returns a measurement of each configuration at which the target holds.
Measurements configurations_of(const Target& target, const Measurements& all) {
  Measurements found;
  for (const Measurement* each : all) {
    if (!is_configuration(target.of, *each) || !is_contender(target.of, *each)) continue;
    const bool is_known = std::ranges::any_of(
        found, [&](const Measurement* before) { return is_same_configuration(*before, *each); });
    if (!is_known) found.push_back(each);
  }
  return found;
}

}  // namespace

std::size_t JudgedTargets::count(TargetVerdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(targets, verdict, &JudgedTarget::verdict));
}

JudgedTargets judge_targets(const TargetSet& set, const Results& results) {
  JudgedTargets judged;
  judged.is_of_machine = is_for(set, results);
  if (!judged.is_of_machine) return judged;
  const Measurements all = chosen(set, results);
  for (const Target& target : set.targets) {
    const Measurements configurations = configurations_of(target, all);
    if (configurations.empty()) judged.not_measured.push_back(&target);
    for (const Measurement* each : configurations) {
      judged.targets.push_back(judge(target, *each, all));
    }
  }
  return judged;
}

}  // namespace millrace::tools
