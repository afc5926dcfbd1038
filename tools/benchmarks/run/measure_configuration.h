// SPDX-License-Identifier: Apache-2.0

// Measures a configuration: the result of every run is checked, then all correct runs are timed,
// interleaved. `millrace bench` and `millrace reproduce` measure with it alone.
//
//   const auto measurements = measure_configuration({&workload, device, "uniform", 1000}, {}, {},
//                                                   *probe_of(device->info()), {.seconds = 2});
#ifndef MILLRACE_TOOLS_BENCHMARKS_RUN_MEASURE_CONFIGURATION_H_
#define MILLRACE_TOOLS_BENCHMARKS_RUN_MEASURE_CONFIGURATION_H_

#include <millrace/tools/benchmarks/harness/probes/device_probe.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/run/configuration.h>
#include <millrace/tools/report/results/results.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace millrace::tools {

struct MeasureOptions {
  double seconds = 5;       // Seconds for all runs of the configuration together (sampler.h).
  double precision = 0.02;  // Width of the medians' intervals to the medians.
  double energy_seconds =
      1;  // Time of each run to measure energy, where it can be read; 0: no energy.
  std::string results_path;  // Traces are named relative to its folder.
  std::string traces;        // An existing folder; empty: no traces.
  bool replaces_traces = false;
  std::function<double()> now = seconds_now;
  std::function<bool()> is_stopped = [] { return false; };
  // Lets a device cool that other work has heated; called at most kMostPauses times before the runs
  // are timed, while the clock is throttled.
  std::function<void()> pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  static constexpr int kMostPauses = 40;

  // Ranks that measure together set `now`, `is_stopped` and this function so that each returns the
  // same value on all of them, whatever `mine` is. One of them prints.
  std::function<bool(bool mine)> decided = [](bool mine) { return mine; };
  bool prints = true;
};

// Returns the beginning of the names of a configuration's traces: the name of the results' file, so
// that several can have one folder, and the words of the configuration.
std::string trace_stem(const Configuration& configuration, const std::string& results_path);

// Returns a measurement for each chosen run, one with kUnsupported for each chosen policy that no
// run has, and one with the reason if no run is left. A run with a wrong result, one that is not
// supported and one that fails have no times and do not stop the others. Energy is omitted if more
// than a tenth of it may be due to work that is not timed. `limits` are those of the device. Throws
// kCancelled when is_stopped() returns true, kIo for a trace that cannot be written.
std::vector<Measurement> measure_configuration(const Configuration& configuration,
                                               const RunSelection& choice,
                                               const std::vector<LimitRecord>& limits,
                                               DeviceProbe& probe, const MeasureOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_RUN_MEASURE_CONFIGURATION_H_
