// SPDX-License-Identifier: Apache-2.0

// The results file of `millrace bench`, rewritten after each configuration.
#ifndef MILLRACE_TOOLS_COMMAND_BENCH_BENCH_RESULTS_H_
#define MILLRACE_TOOLS_COMMAND_BENCH_BENCH_RESULTS_H_

#include <millrace/tools/benchmarks/run/device_set.h>
#include <millrace/tools/command/bench/bench_options.h>
#include <millrace/tools/command/bench/bench_plan.h>
#include <millrace/tools/report/results/results.h>

#include <string>
#include <vector>

namespace millrace::tools {

// Returns results without limits and measurements: the machine, build, command and devices.
Results new_results(const BenchOptions& options, const std::vector<DeviceSet>& devices);

// Throws kInvalidArgument with the difference if `old`, read from `path`, has another machine,
// build, command or other input files than `now`.
void check_resumable(const std::string& path, const Results& old, const Results& now);

class BenchResults {
 public:
  // Begins a file, or continues it with --resume; with no file's name it keeps results in memory.
  // Throws kIo if it exists and neither --resume nor
  // --force is given, or if it cannot be written; and what check_resumable and read_results throw.
  BenchResults(const BenchOptions& options, Results now);

  // Returns true if there are measurements of this configuration.
  bool has(const Configuration& configuration) const;

  // Returns the limits of a device or group, by its name; empty before add_limits.
  std::vector<LimitRecord> limits_of(const std::string& device) const;

  // Adds to the results and replaces the file in one step. Throws kIo.
  void add_limits(const std::vector<LimitRecord>& limits);
  void add(const std::vector<Measurement>& measurements);
  void complete();

  const Results& results() const { return results_; }

 private:
  void write() const;

  const std::string path_;
  Results results_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_BENCH_BENCH_RESULTS_H_
