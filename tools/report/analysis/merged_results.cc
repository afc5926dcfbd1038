// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/benchmarks/harness/statistics.h>
#include <millrace/tools/report/analysis/merged_results.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

std::string unused(const std::string& label, const std::vector<Machine>& machines) {
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::find(machines, name, &Machine::label) != machines.end();
  };
  std::string name = label;
  for (int i = 2; is_taken(name); ++i) name = label + " (" + std::to_string(i) + ")";
  return name;
}

Group& group_for(std::vector<Group>& groups, const Measurement& measurement) {
  auto behind = groups.end();  // The last group of the workload.
  for (auto group = groups.begin(); group != groups.end(); ++group) {
    if (group->workload != measurement.workload) continue;
    if (group->input == measurement.input) return *group;
    behind = group + 1;
  }
  return *groups.insert(behind, {measurement.workload, measurement.input, {}});
}

}  // namespace

MergedResults merge_results(const std::vector<std::string>& paths) {
  MergedResults merged;
  std::set<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!files.insert(fs::weakly_canonical(path, error).string()).second) {
      reject(path + ": is given twice; leave one out");
    }
    Results results = read_results(path);
    const std::string label = unused(results.machine.label, merged.machines);
    merged.machines.push_back({label, path, std::move(results)});
  }
  return merged;
}

std::string name_of(const MergedResults& merged, const Platform& platform) {
  if (merged.machines.size() == 1) return platform.device;
  return platform.device + " (" + merged.machines[platform.machine].label + ")";
}

std::string contender_of(const Measurement& measurement) {
  std::string name;
  for (const std::string* word : {&measurement.peer, &measurement.policy, &measurement.strategy}) {
    if (!word->empty()) name += (name.empty() ? "" : ", ") + *word;
  }
  return name.empty() ? "Millrace" : name;
}

bool has_interval(const Measurement& measurement) {
  return median_interval(measurement.seconds).coverage >= 0.95;
}

std::vector<Group> groups_of(const MergedResults& merged) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < merged.machines.size(); ++i) {
    for (const Measurement& measurement : merged.machines[i].results.measurements) {
      group_for(groups, measurement).entries.push_back({{i, measurement.device}, &measurement});
    }
  }
  return groups;
}

}  // namespace millrace::tools
