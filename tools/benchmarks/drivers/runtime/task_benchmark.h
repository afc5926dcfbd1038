// SPDX-License-Identifier: Apache-2.0

// `bench tasks`: what run_tasks costs an empty task, against oneTBB's own algorithms in the same
// run.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_TASK_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_TASK_BENCHMARK_H_

namespace millrace::tools {

// Prints a table; `seconds` is spent on each of its parts. Throws kInternal where a sum is wrong.
void benchmark_tasks(double seconds);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_TASK_BENCHMARK_H_
