// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/performance/newest_results.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace millrace::tools {
namespace {

// The files of a label.
using MachineFiles = std::vector<const Machine*>;

std::vector<MachineFiles> files_by_label(const MergedResults& all) {
  std::vector<MachineFiles> labels;
  for (const Machine& machine : all.machines) {
    const std::string& label = machine.results.machine.label;
    const auto found = std::ranges::find_if(labels, [&](const MachineFiles& files) {
      return files.front()->results.machine.label == label;
    });
    (found != labels.end() ? *found : labels.emplace_back()).push_back(&machine);
  }
  return labels;
}

// Names what was measured: workload, input, size and device.
using Configuration = std::tuple<std::string, std::string, std::uint64_t, std::string>;

Configuration configuration_of(const Measurement& measurement) {
  return {measurement.workload, measurement.input, measurement.size, measurement.device};
}

std::set<Configuration> configurations_of(const Results& results) {
  std::set<Configuration> all;
  for (const Measurement& each : results.measurements) all.insert(configuration_of(each));
  return all;
}

// Adds limits of devices that have none of the name.
void add_limits(const Results& from, Results& to) {
  for (const LimitRecord& limit : from.limits) {
    const bool is_there = std::ranges::any_of(to.limits, [&](const LimitRecord& other) {
      return other.device == limit.device && other.name == limit.name;
    });
    if (!is_there) to.limits.push_back(limit);
  }
}

void add_devices(const Results& from, Results& to) {
  for (const DeviceRecord& device : from.devices) {
    if (std::ranges::find(to.devices, device.name, &DeviceRecord::name) == to.devices.end()) {
      to.devices.push_back(device);
    }
  }
}

// Adds what an older file has of configurations that no newer one has.
void add_older(const Results& older, NewestResults& newest) {
  Results& to = newest.merged.machines.front().results;
  const std::set<Configuration> newer = configurations_of(to);
  for (const Measurement& each : older.measurements) {
    if (!newer.contains(configuration_of(each))) to.measurements.push_back(each);
  }
  if (to.measurements.size() == newest.measurement_runs.size()) return;
  newest.runs.push_back(&older);
  newest.measurement_runs.resize(to.measurements.size(), &older);
  to.input_files.insert(to.input_files.end(), older.input_files.begin(), older.input_files.end());
  add_limits(older, to);
  add_devices(older, to);
}

}  // namespace

std::vector<NewestResults> newest_results(const MergedResults& all) {
  std::vector<NewestResults> machines;
  for (MachineFiles& files : files_by_label(all)) {
    std::ranges::stable_sort(files, std::ranges::greater(),
                             [](const Machine* machine) { return machine->results.started; });
    const Machine& first = *files.front();
    NewestResults newest;
    newest.merged.machines = {{first.results.machine.label, first.file, first.results}};
    newest.runs = {&first.results};
    newest.measurement_runs.resize(first.results.measurements.size(), &first.results);
    for (auto file = files.begin() + 1; file != files.end(); ++file) {
      add_older((*file)->results, newest);
    }
    machines.push_back(std::move(newest));
  }
  return machines;
}

}  // namespace millrace::tools
