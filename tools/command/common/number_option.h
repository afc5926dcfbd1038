// SPDX-License-Identifier: Apache-2.0

// Numbers on command lines.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_NUMBER_OPTION_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_NUMBER_OPTION_H_

#include <functional>
#include <string>

namespace millrace::tools {

// The fewest digits that tell it from others.
std::string shortest_text(double number);

// The function of an option that takes a number in low..high, and gives it to `number`, which must
// outlive it. It throws Error (kInvalidArgument) with the option's name for anything else, such as
// nan.
std::function<void(const std::string&)> number_in(const std::string& option, double low,
                                                  double high, double& number);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_NUMBER_OPTION_H_
