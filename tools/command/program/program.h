// SPDX-License-Identifier: Apache-2.0

// The main function of programs with subcommands.
#ifndef MILLRACE_TOOLS_COMMAND_PROGRAM_PROGRAM_H_
#define MILLRACE_TOOLS_COMMAND_PROGRAM_PROGRAM_H_

#include <millrace/tools/command/common/command_line.h>

namespace millrace::tools {

// Runs the subcommand that the arguments name, on all ranks that were started together. Adds
// `completion` and the subcommands that linked algorithms register to those of `add_subcommands`.
// Returns the exit status: 0; 1 where `bench` measured, but had a wrong result or a failed run, and
// where `report --compare` finds something slower or wrong; 2 for bad input or any other error;
// 128 + signal when a signal ended it, also where the reader of a pipe has gone (SIGPIPE).
int run_program(int argc, char** argv, void (*add_subcommands)(Command& root));

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_PROGRAM_PROGRAM_H_
