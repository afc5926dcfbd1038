// SPDX-License-Identifier: Apache-2.0

// Times contenders in turns, so that a shared, noisy machine disturbs all of them alike, until
// their medians are known well enough.
//
//   const SamplingResult samples = sample_in_turns({run_ours, run_theirs}, {.precision = 0.01});
//   const MedianInterval ours = median_interval(samples.runs[0].seconds);
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_SAMPLER_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_SAMPLER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

namespace millrace::tools {

// Seconds of a clock that never goes back.
double seconds_now();

// Runs `work` and returns the seconds that took.
template <class Work>
double seconds_of(const Work& work) {
  const double begin = seconds_now();
  work();
  return seconds_now() - begin;
}

// Returns the least seconds of `runs` runs, because what disturbs a run only adds.
template <class Work>
double best_seconds(const Work& work, int runs) {
  double best = seconds_of(work);
  for (int i = 1; i < runs; ++i) best = std::min(best, seconds_of(work));
  return best;
}

// Runs a contender once and returns the seconds to count, without those in which it prepared or
// checked. What it throws ends that contender, not the others.
using TimedRun = std::function<double()>;

// Runs whose interval covers the median with 95 %, and of what takes long.
inline constexpr std::size_t kWantedRounds = 6;
inline constexpr std::size_t kLeastRounds = 3;

struct SamplerOptions {
  double precision = 0.02;  // Width of the median's interval at 95 % to the median, of each.
  double seconds = 5;  // No round begins after them, but for the first kWantedRounds; and after
                       // four times as many but for the first kLeastRounds.
  std::size_t most_rounds = 1000;
  std::uint64_t seed = 1;  // Seed of the orders in which they run.
  std::function<double()> now = seconds_now;
  std::function<bool()> is_stopped = [] {
    return false;
  };  // Polled before each run, and after one that fails.
};

struct SampledRuns {
  std::vector<double> seconds;  // A run each, in order; empty where one failed.
  std::exception_ptr failure;   // Exception that it threw; null: nothing.
};

struct SamplingResult {
  std::vector<SampledRuns> runs;  // Runs of each contender.
  bool is_stopped = false;        // Before its end; the runs are fewer.
};

// A tenth of the time, at most a second, and at least one round, warms up and does not count. Then
// each round runs all contenders once, in a new random order. Those whose median is known go on
// while others' are not: then all have the same rounds, and a disturbance of one is in the figures
// of all. The interval is re-evaluated when there are a quarter more rounds than the last time,
// because an interval that is re-evaluated more often until it is narrow covers the median less
// often: of 95 % it keeps 93 to 96.
SamplingResult sample_in_turns(const std::vector<TimedRun>& contenders,
                               const SamplerOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_SAMPLER_H_
