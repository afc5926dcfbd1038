// SPDX-License-Identifier: Apache-2.0

// Runs of random shape (stress_shape.h) one after another, each of which is checked.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_RUNS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_RUNS_H_

#include <millrace/tools/benchmarks/workloads/tasks/stress_shape.h>
#include <millrace/tools/benchmarks/workloads/workload.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace millrace::tools {

// Returns the seed that an input such as "seed-17" names; nothing for other inputs.
std::optional<std::uint64_t> stress_seed(const std::string& input);

// Sets the inputs, which are seeds, and the sizes, which are numbers of runs.
void take_stress_seeds(Workload& workload);

// The text of the error for a run of the shape that was wrong: what it drew, what is wrong, and the
// options that repeat it.
std::string stress_failure(const StressShape& shape, const std::string& fault);

// Runs shapes of successive seeds. Used by one thread at a time.
class StressRuns {
 public:
  using Draw = std::function<StressShape(std::uint64_t seed)>;

  // Runs a shape, adds the seconds of the run alone, and returns what it left behind.
  using RunShape = std::function<StressOutcome(const StressShape& shape, double& seconds)>;

  StressRuns(std::uint64_t first_seed, std::uint64_t runs, Draw draw, RunShape run_shape);

  // Runs `runs` shapes, and returns the seconds of the runs, without drawing and checking. Throws
  // kInternal for the first run that is wrong or fails, and kDeviceLost; the text is
  // stress_failure()'s. Throws kCancelled between two runs once a signal has come
  // (interrupt_guard.h).
  double run() { return run_next(runs_); }

  // Runs the next kMostTimed shapes or fewer, and returns the seconds that `runs` take at this
  // rate. Throws as run() does.
  double run_some();

  static constexpr std::uint64_t kMostTimed = 100;

 private:
  double run_next(std::uint64_t count);
  double run_one();
  std::string fault_after_run(const StressShape& shape, double& seconds);

  std::uint64_t next_seed_;
  const std::uint64_t runs_;
  const Draw draw_;
  const RunShape run_shape_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_RUNS_H_
