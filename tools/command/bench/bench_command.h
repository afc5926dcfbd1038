// SPDX-License-Identifier: Apache-2.0

// `millrace bench`: workloads over devices, policies, strategies, sizes and inputs, in one file of
// results a machine.
#ifndef MILLRACE_TOOLS_COMMAND_BENCH_BENCH_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_BENCH_BENCH_COMMAND_H_

#include <millrace/tools/command/common/command_line.h>

namespace millrace::tools {

// Adds the subcommand, which runs when it is chosen.
void add_bench_command(Command& root);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_BENCH_BENCH_COMMAND_H_
