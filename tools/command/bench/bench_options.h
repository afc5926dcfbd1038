// SPDX-License-Identifier: Apache-2.0

// What `millrace bench` takes.
#ifndef MILLRACE_TOOLS_COMMAND_BENCH_BENCH_OPTIONS_H_
#define MILLRACE_TOOLS_COMMAND_BENCH_BENCH_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include <millrace/tools/command/common/cli_forward.h>

namespace millrace::tools {

struct BenchOptions {
  std::vector<std::string> workloads;  // Empty, as all lists here: all there are.
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
  std::string traces;  // A folder; empty: none.
  bool resume = false;
  bool list = false;
  bool force = false;

  static constexpr double kSeconds = 5;
  static constexpr double kQuickSeconds = 0.8;
  static constexpr double kPrecision = 0.02;
  static constexpr double kQuickPrecision = 0.1;
};

// `options` must outlive the subcommand. Parsing throws Error(kInvalidArgument) for a policy that
// is none.
void add_bench_options(CLI::App& command, BenchOptions& options);

// The words that ask for the same measurements, always in one order, of files the names alone.
std::string command_text(const BenchOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_BENCH_BENCH_OPTIONS_H_
