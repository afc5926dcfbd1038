// SPDX-License-Identifier: Apache-2.0

// Times contenders side by side, so that a shared, noisy machine disturbs all of them alike.
//
//   const auto timings = run_contest({{"copy", [&] { ... }}, {"idct", [&] { ... }}}, 2.0);
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_CONTEST_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_CONTEST_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace millrace::tools {

struct Contender {
  std::string name;
  std::function<void()> run;
  std::function<void()> prepare = [] {};  // Before each run, and not timed.
};

struct Timing {
  std::string name;
  double median_seconds = 0;
  double best_seconds = 0;
  double ratio_to_first = 0;  // Median over rounds of its time to the first contender's.
};

// Prints a line that sets a figure beside the bar it is held to.
void print_bar(const std::string& what, double measured, const char* relation, double bar,
               bool is_met);

// Runs all contenders in turn, round after round, until `seconds` are over and at least
// `least_rounds` are done; a first round warms up and does not count.
std::vector<Timing> run_contest(const std::vector<Contender>& contenders, double seconds,
                                std::size_t least_rounds = 15);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_CONTEST_H_
