// SPDX-License-Identifier: Apache-2.0

// Numbers on command lines.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_NUMBER_OPTION_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_NUMBER_OPTION_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace millrace::tools {

// Returns the fewest digits that distinguish the number from others.
std::string shortest_text(double number);

// Returns the function of an option that takes a number in low..high, and stores it in `number`,
// which must outlive it. It throws Error (kInvalidArgument) with the option's name for anything
// else, such as nan.
std::function<void(const std::string&)> number_in(const std::string& option, double low,
                                                  double high, double& number);

// Returns the decimal whole number in low..high that `text` is: 010 is ten. Throws Error
// (kInvalidArgument) with the option's name for anything else, and with `unit` ("bytes"), if any.
std::int64_t parse_whole_number(const std::string& option, const std::string& text,
                                std::int64_t low,
                                std::int64_t high = std::numeric_limits<std::int64_t>::max(),
                                const std::string& unit = "");

// The same as a function of an option, as number_in().
template <class Integer>
std::function<void(const std::string&)> whole_number_in(const std::string& option, std::int64_t low,
                                                        std::int64_t high, Integer& number) {
  return [=, &number](const std::string& text) {
    number = static_cast<Integer>(parse_whole_number(option, text, low, high));
  };
}

// The same without an upper limit.
template <class Integer>
std::function<void(const std::string&)> whole_number_from(const std::string& option,
                                                          std::int64_t low, Integer& number,
                                                          const std::string& unit = "") {
  return [=, &number](const std::string& text) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    number = static_cast<Integer>(parse_whole_number(option, text, low, kMost, unit));
  };
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_NUMBER_OPTION_H_
