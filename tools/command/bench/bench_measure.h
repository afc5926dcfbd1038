// SPDX-License-Identifier: Apache-2.0

// Measures a configuration: every way of doing the work is checked, then all that are right are
// timed in turns.
#ifndef MILLRACE_TOOLS_COMMAND_BENCH_BENCH_MEASURE_H_
#define MILLRACE_TOOLS_COMMAND_BENCH_BENCH_MEASURE_H_

#include <functional>
#include <string>
#include <vector>

#include <millrace/tools/benchmarks/harness/probes/device_probe.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/command/bench/bench_plan.h>
#include <millrace/tools/report/results/results.h>

namespace millrace::tools {

struct BenchMeasureOptions {
  double seconds = BenchOptions::kSeconds;
  double precision = BenchOptions::kPrecision;
  double energy_seconds =
      1;  // Time of each run to measure energy, where it can be read; 0: no energy.
  std::string results_path;  // Traces are named relative to its folder.
  std::string traces;        // A folder that is there; empty: none.
  bool replaces_traces = false;
  std::function<double()> now = seconds_now;
  std::function<bool()> is_stopped = [] { return false; };
};

// Returns the beginning of the names of a configuration's traces: the name of the results' file, so
// that several can have one folder, and the configuration's own parts.
std::string trace_stem(const BenchConfiguration& configuration, const std::string& results_path);

// One measurement for each way that is chosen, and one that says kUnsupported for each policy that
// is chosen and that none has, or where no way is left; or one that says why there is none. A way
// whose result is wrong, that is not supported or that fails has no times and does not stop the
// others. Energy is left out where more than a tenth of it may be of what a run does beside its
// timed work. `limits` are of the device. Throws kCancelled when is_stopped() says so, kIo for a
// trace that cannot be written.
std::vector<Measurement> measure_configuration(const BenchConfiguration& configuration,
                                               const RunChoice& choice,
                                               const std::vector<LimitRecord>& limits,
                                               DeviceProbe& probe,
                                               const BenchMeasureOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_BENCH_BENCH_MEASURE_H_
