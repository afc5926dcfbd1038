// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_EXIT_STATUS_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_EXIT_STATUS_H_

#include <cstdint>
#include <exception>

namespace millrace::tools {

// Ends the command with an exit status. All messages have been printed.
class ExitStatus final : public std::exception {
 public:
  explicit ExitStatus(int status) : status_(status) {}

  int status() const noexcept { return status_; }
  const char* what() const noexcept override { return "the command has ended"; }

 private:
  int status_;
};

// Throws ExitStatus if inputs of several have failed: 2 if all have, and 1 if some have succeeded.
void check_failed_inputs(std::uint64_t failed, std::uint64_t succeeded);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_EXIT_STATUS_H_
