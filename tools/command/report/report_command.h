// SPDX-License-Identifier: Apache-2.0

// `millrace report`: pages of benchmark results, and what became slower.
#ifndef MILLRACE_TOOLS_COMMAND_REPORT_REPORT_COMMAND_H_
#define MILLRACE_TOOLS_COMMAND_REPORT_REPORT_COMMAND_H_

#include <millrace/tools/command/common/cli_forward.h>

namespace millrace::tools {

// Adds the subcommand, which runs when `app` parses it. A run that finds something slower or wrong
// by --compare ends with CLI::RuntimeError(1), one that was interrupted with
// CLI::RuntimeError(128 + signal), and then leaves no file.
void add_report_command(CLI::App& app);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_REPORT_REPORT_COMMAND_H_
