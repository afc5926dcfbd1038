// SPDX-License-Identifier: Apache-2.0

// CLI11's classes by name alone, for headers: its own header takes a compiler six seconds.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_CLI_FORWARD_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_CLI_FORWARD_H_

namespace CLI {
class App;
class Validator;
}  // namespace CLI

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_CLI_FORWARD_H_
