// SPDX-License-Identifier: Apache-2.0

// The targets that `millrace bench --targets` compares results with.
#ifndef MILLRACE_TOOLS_COMMAND_BENCH_BENCH_TARGETS_H_
#define MILLRACE_TOOLS_COMMAND_BENCH_BENCH_TARGETS_H_

#include <millrace/tools/report/results/results.h>
#include <millrace/tools/report/targets/targets.h>

#include <string>
#include <vector>

namespace millrace::tools {

// Throws as read_targets does.
std::vector<TargetSet> read_target_files(const std::vector<std::string>& paths);

// Prints a table of the targets that were measured, and how many were met, to standard output.
void print_targets(const TargetSet& set, const Results& results);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_BENCH_BENCH_TARGETS_H_
