// SPDX-License-Identifier: Apache-2.0

// The file of `millrace bench` while it grows.
#ifndef MILLRACE_TOOLS_COMMAND_BENCH_BENCH_RESULTS_H_
#define MILLRACE_TOOLS_COMMAND_BENCH_BENCH_RESULTS_H_

#include <memory>
#include <string>
#include <vector>

#include <millrace/runtime/core/device.h>
#include <millrace/tools/command/bench/bench_options.h>
#include <millrace/tools/command/bench/bench_plan.h>
#include <millrace/tools/report/results/results.h>

namespace millrace::tools {

// Without limits and measurements: where they will come from.
Results new_results(const BenchOptions& options,
                    const std::vector<std::shared_ptr<Device>>& devices);

// Throws kInvalidArgument with what differs, where `old`, read from `path`, is of another machine,
// build or command than `now`, or of other input files.
void check_resumable(const std::string& path, const Results& old, const Results& now);

class BenchResults {
 public:
  // Begins a file, or goes on with that of --resume. Throws kIo where it exists and neither that
  // nor --force is given, or cannot be written; what check_resumable and read_results throw.
  BenchResults(const BenchOptions& options, Results now);

  // Returns true if there are measurements of this configuration.
  bool has(const BenchConfiguration& configuration) const;

  // Those of a device; empty before add_limits.
  std::vector<LimitRecord> limits_of(const Device& device) const;

  // Each replaces the file in one step. Throws kIo.
  void add_limits(const std::vector<LimitRecord>& limits);
  void add(const std::vector<Measurement>& measurements);
  void complete();

  const Results& results() const { return results_; }

 private:
  const std::string path_;
  Results results_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_BENCH_BENCH_RESULTS_H_
