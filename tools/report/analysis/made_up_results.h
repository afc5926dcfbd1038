// SPDX-License-Identifier: Apache-2.0

// Results for tests of reports: figures are made up, so that what follows from them is known.
#ifndef MILLRACE_TOOLS_REPORT_ANALYSIS_MADE_UP_RESULTS_H_
#define MILLRACE_TOOLS_REPORT_ANALYSIS_MADE_UP_RESULTS_H_

#include <millrace/tools/report/analysis/merged_results.h>

#include <cstdint>
#include <string>

namespace millrace::tools {

// A run of 1000 items that took so long, give or take `spread` of it.
inline Measurement made_up(const std::string& workload, const std::string& device,
                           const std::string& policy, std::uint64_t size, double seconds,
                           double spread = 0.01) {
  Measurement m;
  m.workload = workload;
  m.device = device;
  m.policy = policy;
  m.size = size;
  m.seconds.assign(6, seconds);
  m.median_seconds = seconds;
  m.low_seconds = seconds * (1 - spread);
  m.high_seconds = seconds * (1 + spread);
  m.items = 1000;
  m.item_name = "tasks";
  return m;
}

// Without measurements, with a device "tbb" and one "cuda:0".
inline Results made_up_machine(const std::string& label) {
  Results results;
  results.machine.label = label;
  results.is_complete = true;
  results.started = "2026-11-22T15:00:00Z";
  DeviceRecord cpu;
  cpu.name = "tbb";
  DeviceRecord gpu;
  gpu.name = "cuda:0";
  gpu.warp_width = 32;
  results.devices = {gpu, cpu};
  return results;
}

// On tbb `persistent` is faster below 40 tasks, and on cuda:0 there is one policy.
inline Results made_up_results(const std::string& label) {
  Results results = made_up_machine(label);
  results.measurements = {made_up("tree", "tbb", "persistent", 10, 0.5),
                          made_up("tree", "tbb", "persistent", 160, 8),
                          made_up("tree", "tbb", "uberkernel", 10, 1),
                          made_up("tree", "tbb", "uberkernel", 160, 4),
                          made_up("tree", "cuda:0", "persistent", 10, 0.25),
                          made_up("tree", "cuda:0", "persistent", 160, 0.5)};
  return results;
}

inline MergedResults merged(std::initializer_list<Results> all) {
  MergedResults result;
  for (const Results& each : all) result.machines.push_back({each.machine.label, "", each});
  return result;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_ANALYSIS_MADE_UP_RESULTS_H_
