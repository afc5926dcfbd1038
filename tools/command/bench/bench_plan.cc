// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/bench/bench_plan.h>
#include <millrace/tools/files/names/joined_names.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

namespace millrace::tools {
namespace {

template <class Range, class Value>
bool contains(const Range& range, const Value& value) {
  return std::ranges::find(range, value) != std::ranges::end(range);
}

std::string listed(const std::set<std::string>& names) {
  return names.empty() ? "none" : joined_names(names);
}

void check_strategies(const BenchOptions& options, const std::vector<Workload>& workloads) {
  std::set<std::string> known;
  for (const Workload& workload : workloads) {
    known.insert(workload.strategies.begin(), workload.strategies.end());
  }
  for (const std::string& strategy : options.strategies) {
    if (known.contains(strategy)) continue;
    reject("no strategy '" + strategy + "' of the chosen workloads; there are: " + listed(known));
  }
}

// Returns "a, b, and seed-N, which ..., and video files".
std::string inputs_there_are(const std::vector<Workload>& workloads) {
  std::set<std::string> known;
  std::set<std::string> rules;
  for (const Workload& workload : workloads) {
    known.insert(workload.inputs.begin(), workload.inputs.end());
    if (!workload.input_rule.empty()) rules.insert(workload.input_rule);
  }
  known.erase("");
  if (std::ranges::any_of(workloads, &Workload::takes_clips)) rules.insert("video files");
  std::string text = listed(known);
  for (const std::string& rule : rules) text += ", and " + rule;
  return text;
}

[[noreturn]] void reject_same_name(const std::string& input, const std::string& name) {
  reject("--input " + input + ": another input is also named '" + name +
         "', and results distinguish inputs by their names; rename one");
}

void check_inputs(const BenchOptions& options, const std::vector<Workload>& workloads) {
  const bool take_clips = std::ranges::any_of(workloads, &Workload::takes_clips);
  std::set<std::string> names;  // Each is once in the results.
  for (const Workload& workload : workloads) {
    names.insert(workload.inputs.begin(), workload.inputs.end());
  }
  for (const std::string& input : options.inputs) {
    const auto has_input = [&](const Workload& workload) { return workload.has_input(input); };
    if (!input.empty() && std::ranges::any_of(workloads, has_input)) continue;
    if (take_clips && std::filesystem::is_regular_file(input)) {
      const std::string name = std::filesystem::path(input).filename().string();
      if (names.insert(name).second) continue;
      reject_same_name(input, name);
    }
    reject("no input '" + input +
           "' of the chosen workloads; there are: " + inputs_there_are(workloads));
  }
}

void check_sizes(const BenchOptions& options, const std::vector<Workload>& workloads) {
  for (const Workload& workload : workloads) {
    if (workload.size_rule.empty()) continue;
    for (const std::uint64_t size : options.sizes) {
      if (workload.is_size(size)) continue;
      reject("--size is " + std::to_string(size) + "; the size of " + workload.name + ' ' +
             workload.size_rule);
    }
  }
}

void check_takes_groups(const std::vector<Workload>& workloads, const DeviceSet& group) {
  const auto takes_groups = [](const Workload& each) { return each.prepare_group != nullptr; };
  if (std::ranges::any_of(workloads, takes_groups)) return;
  reject("--device " + group.name() +
         " is a group, on which no chosen workload runs; choose group, or repeat --device for "
         "each device");
}

// With --quick, returns the first of a workload's own.
std::vector<std::string> inputs_of(const BenchOptions& options, const Workload& workload) {
  if (options.inputs.empty()) {
    return options.is_quick ? std::vector{workload.inputs.front()} : workload.inputs;
  }
  if (workload.inputs == std::vector<std::string>{""}) return workload.inputs;
  std::vector<std::string> inputs;
  std::ranges::copy_if(options.inputs, std::back_inserter(inputs), [&](const std::string& input) {
    return workload.has_input(input) ||
           (workload.takes_clips && std::filesystem::is_regular_file(input));
  });
  return inputs;
}

std::vector<std::uint64_t> sizes_of(const BenchOptions& options, const Workload& workload,
                                    const std::string& input, const DeviceInfo& device) {
  if (!workload.has_input(input) && !workload.copies_clips) return {0};
  if (options.sizes.empty() || workload.size_rule.empty()) {
    return workload.sizes(device, options.is_quick);
  }
  return options.sizes;
}

}  // namespace

std::vector<Configuration> plan_bench(const BenchOptions& options,
                                      const std::vector<Workload>& workloads,
                                      const std::vector<DeviceSet>& devices) {
  check_strategies(options, workloads);
  check_inputs(options, workloads);
  check_sizes(options, workloads);
  std::vector<Configuration> plan;
  for (const DeviceSet& each : devices) {
    if (each.is_group()) check_takes_groups(workloads, each);
    for (const Workload& workload : workloads) {
      if (each.is_group() && !workload.prepare_group) continue;
      for (const std::string& input : inputs_of(options, workload)) {
        for (const std::uint64_t size : sizes_of(options, workload, input, each.size_info())) {
          plan.push_back({&workload, each, input, size});
        }
      }
    }
  }
  return plan;
}

}  // namespace millrace::tools
