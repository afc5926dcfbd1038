// SPDX-License-Identifier: Apache-2.0

// kAuto beside the fixed policies it chooses from: how both are run, so that their times can be
// compared.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_AUTO_AUTO_RUNS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_AUTO_AUTO_RUNS_H_

#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/benchmarks/workloads/workload.h>

#include <cstdint>
#include <functional>

namespace millrace::tools {

// One run of a case, whose result was right.
struct AutoRun {
  double seconds = 0;             // Time of the call.
  double items = 0;               // The workload's.
  Policy policy = Policy::kAuto;  // The policy that ran.
  std::uint64_t switches = 0;     // RunReport::switches.
};

// Runs a case under a policy. Throws kInternal where the result is wrong.
using AutoCase = std::function<AutoRun(Policy)>;

// Numbers of runs under kAuto before any is timed.
struct AutoRunCounts {
  int first = 5;      // Number of first runs; the history is cleared before each.
  int settling = 40;  // Number of runs after which kAuto is at its choice.
};

// The counts on simulated devices, which only check that kAuto works.
inline constexpr AutoRunCounts kSimulatedAutoRuns = {.first = 1, .settling = 4};

// The strategy of the run that repeats the best fixed policy: what chance makes of a ratio.
inline constexpr char kBestAgain[] = "best-again";

// Names of values of kAuto's run.
inline constexpr char kFirstRunSeconds[] = "first run s";       // Median of the first runs.
inline constexpr char kFirstRunOfBest[] = "first run of best";  // Over the best policy's median.
inline constexpr char kRunsUnder[] = "runs under ";  // Policy; number of settling runs it took.
inline constexpr char kSwitches[] = "switches";      // Switches in the last settling run.

// A run for each fixed policy, one for kAuto, and one that repeats the fixed policy that its check
// finds the fastest. kAuto's check measures first runs, each behind runs of the best fixed policy,
// and then settles; so it fails, too, if a fixed policy's result is wrong. A timed run comes behind
// a millisecond of runs under the same policy: one behind another policy finds the caches, and the
// threads, asleep or not, as that one has left them.
PreparedWork auto_runs(const AutoCase& work, AutoRunCounts counts = {});

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_AUTO_AUTO_RUNS_H_
