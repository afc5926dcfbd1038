// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/compare_results.h>
#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/chart/number_text.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>

namespace millrace::tools {
namespace {

using Key = std::tuple<std::string, std::string, std::uint64_t, std::string, std::string,
                       std::string, std::string>;

Key key_of(const Measurement& m) {
  return {m.workload, m.input, m.size, m.device, m.policy, m.strategy, m.peer};
}

std::string name_of(const Measurement& m) {
  return m.workload + (m.input.empty() ? "" : ", " + m.input) + ", size " + std::to_string(m.size) +
         ", " + m.device + ", " + contender_of(m);
}

std::string times_of(const Measurement& m) {
  return quantity_text(m.median_seconds, "s") + " (" + quantity_text(m.low_seconds, "s") + " to " +
         quantity_text(m.high_seconds, "s") + ")";
}

std::string change_of(const Measurement& before, const Measurement& after) {
  return name_of(after) + ": from " + times_of(before) + " to " + times_of(after) + ", " +
         ratio_text(after.median_seconds / before.median_seconds) + " times as long";
}

std::string why_without_time(const Measurement& m) {
  const std::string what = m.status == MeasurementStatus::kWrong         ? "is wrong"
                           : m.status == MeasurementStatus::kUnsupported ? "is not supported"
                                                                         : "failed";
  return name_of(m) + " " + what + (m.message.empty() ? "" : ": " + m.message);
}

bool is_ok(const Measurement& m) { return m.status == MeasurementStatus::kOk; }

bool is_wrong(const Measurement& m) { return m.status == MeasurementStatus::kWrong; }

// True if the record stands for all contenders of its configuration. It is their only record if
// preparing the configuration fails.
bool is_of_all_contenders(const Measurement& m) {
  return !is_ok(m) && m.policy.empty() && m.strategy.empty() && m.peer.empty();
}

bool is_same_configuration(const Measurement& a, const Measurement& b) {
  return a.workload == b.workload && a.input == b.input && a.size == b.size && a.device == b.device;
}

bool is_other_input(const Measurement& before, const Measurement& after) {
  return !before.input_hash.empty() && !after.input_hash.empty() &&
         before.input_hash != after.input_hash;
}

void compare_times(const Measurement& before, const Measurement& after, double noise,
                   Comparison& result) {
  const bool is_slower = after.low_seconds > before.high_seconds &&
                         after.median_seconds > before.median_seconds * (1 + noise);
  const bool is_faster = after.high_seconds < before.low_seconds &&
                         after.median_seconds * (1 + noise) < before.median_seconds;
  if (!is_slower && !is_faster) {
    ++result.same;
    return;
  }
  const bool is_sure = has_interval(before) && has_interval(after);
  auto& changes = !is_sure ? result.unsure : is_slower ? result.slower : result.faster;
  changes.push_back(change_of(before, after));
}

void compare(const Measurement& before, const Measurement& after, double noise,
             Comparison& result) {
  if (is_ok(before) && !is_ok(after)) {
    result.wrong.push_back(why_without_time(after));
  } else if (is_wrong(after) && !is_wrong(before)) {
    result.wrong.push_back(why_without_time(after));
  } else if (!is_ok(after)) {
    ++result.same;
  } else if (!is_ok(before)) {
    result.added.push_back(name_of(after));
  } else if (is_other_input(before, after)) {
    result.other.push_back(name_of(after) + ": another input than before");
  } else {
    compare_times(before, after, noise, result);
  }
}

void note_difference(const std::string& what, const std::string& before, const std::string& after,
                     Comparison& result) {
  if (before == after) return;
  result.notes.push_back(what + " was '" + before + "' and is '" + after + "'");
}

void note_machines(const Results& before, const Results& after, Comparison& result) {
  note_difference("the processor", before.machine.cpu, after.machine.cpu, result);
  for (const DeviceRecord& device : before.devices) {
    const auto same = std::ranges::find(after.devices, device.name, &DeviceRecord::name);
    if (same == after.devices.end()) continue;
    note_difference(device.name, device.description, same->description, result);
    note_difference("the driver of " + device.name, device.driver, same->driver, result);
  }
  if (!before.is_complete) result.notes.emplace_back("the old run was not finished");
  if (!after.is_complete) result.notes.emplace_back("the new run was not finished");
}

void print_list(std::ostream& out, const char* title, const std::vector<std::string>& entries) {
  if (entries.empty()) return;
  out << title << ":\n";
  for (const std::string& entry : entries) out << "  " << entry << '\n';
}

using OldOnes = std::map<Key, const Measurement*>;

// Takes from the old ones those with a time that `after` says none of its contenders has; how many.
std::size_t take_times_of_all(const Measurement& after, OldOnes& old_ones) {
  if (!is_of_all_contenders(after)) return 0;
  return std::erase_if(old_ones, [&](const auto& before) {
    return is_ok(*before.second) && is_same_configuration(*before.second, after);
  });
}

}  // namespace

Comparison compare_results(const Results& old_results, const Results& new_results, double noise) {
  Comparison result;
  note_machines(old_results, new_results, result);
  OldOnes old_ones;
  for (const Measurement& each : old_results.measurements) old_ones[key_of(each)] = &each;
  for (const Measurement& after : new_results.measurements) {
    const auto before = old_ones.find(key_of(after));
    if (before != old_ones.end()) {
      compare(*before->second, after, noise, result);
      old_ones.erase(before);
    } else if (const std::size_t timed = take_times_of_all(after, old_ones)) {
      result.wrong.push_back(why_without_time(after) + " (" + std::to_string(timed) +
                             (timed == 1 ? " contender" : " contenders") + " had a time)");
    } else if (is_wrong(after)) {
      result.wrong.push_back(why_without_time(after));
    } else {
      result.added.push_back(name_of(after));
    }
  }
  for (const Measurement& before : old_results.measurements) {
    const auto left = old_ones.find(key_of(before));
    if (left != old_ones.end() && left->second == &before) result.gone.push_back(name_of(before));
  }
  return result;
}

void print_comparison(std::ostream& out, const Comparison& comparison) {
  print_list(out, "Note", comparison.notes);
  print_list(out, "Wrong", comparison.wrong);
  print_list(out, "Slower", comparison.slower);
  print_list(out, "Faster", comparison.faster);
  print_list(out, "Disjoint, but of fewer than six runs", comparison.unsure);
  print_list(out, "Not comparable", comparison.other);
  print_list(out, "New", comparison.added);
  print_list(out, "Gone", comparison.gone);
  out << comparison.wrong.size() << " wrong, " << comparison.slower.size() << " slower, "
      << comparison.faster.size() << " faster, " << comparison.unsure.size()
      << " of fewer than six runs, " << comparison.same << " as before, " << comparison.other.size()
      << " not comparable, " << comparison.added.size() << " new, " << comparison.gone.size()
      << " gone\n";
}

}  // namespace millrace::tools
