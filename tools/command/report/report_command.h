// SPDX-License-Identifier: Apache-2.0

// `millrace report`: pages and comparisons of benchmark results.
#ifndef MILLRACE_TOOLS_COMMAND_REPORT_REPORT_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_REPORT_REPORT_COMMAND_H_

#include <millrace/tools/command/common/command_line.h>

namespace millrace::tools {

// Adds the subcommand, which runs when it is chosen. A run that finds something slower or wrong
// by --compare ends with ExitStatus(1), one that was interrupted with
// ExitStatus(128 + signal), and then leaves no file.
void add_report_command(Command& root);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_REPORT_REPORT_COMMAND_H_
