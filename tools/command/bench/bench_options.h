// SPDX-License-Identifier: Apache-2.0

// Options of `millrace bench`.
#ifndef MILLRACE_TOOLS_COMMAND_BENCH_BENCH_OPTIONS_H_
#define MILLRACE_TOOLS_COMMAND_BENCH_BENCH_OPTIONS_H_

#include <millrace/tools/command/common/command_line.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

struct BenchOptions {
  std::vector<std::string> workloads;  // Empty, as all lists here: everything there is.
  std::vector<std::string> devices;
  std::vector<std::string> policies;
  std::vector<std::string> strategies;
  std::vector<std::uint64_t> sizes;
  std::vector<std::string> inputs;
  double seconds = 0;    // 0, and so below: kSeconds, or kQuickSeconds with is_quick.
  double precision = 0;  // kPrecision or kQuickPrecision.
  bool is_quick = false;
  std::string label;
  std::string out = "millrace-bench.json";
  std::string traces;                // A folder; empty: none.
  std::vector<std::string> targets;  // Files.
  bool resume = false;
  bool list = false;
  bool force = false;

  static constexpr double kSeconds = 5;
  static constexpr double kQuickSeconds = 0.8;
  static constexpr double kPrecision = 0.02;
  static constexpr double kQuickPrecision = 0.1;
};

// `options` must outlive the subcommand. Parsing throws Error(kInvalidArgument) for a policy that
// does not exist.
void add_bench_options(Command& command, BenchOptions& options);

// Returns the command that makes the same measurements, its options in a fixed order and files by
// their names without folders.
std::string command_text(const BenchOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_BENCH_BENCH_OPTIONS_H_
