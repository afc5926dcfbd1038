// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/common/number_option.h>

#include <charconv>
#include <system_error>

namespace millrace::tools {

std::string shortest_text(double number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

std::function<void(const std::string&)> number_in(const std::string& option, double low,
                                                  double high, double& number) {
  return [=, &number](const std::string& text) {
    const char* const end = text.data() + text.size();
    double value = 0;
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || rest != end || !(value >= low && value <= high)) {
      reject(option + " is '" + text + "'; give a number from " + shortest_text(low) + " to " +
             shortest_text(high));
    }
    number = value;
  };
}

std::int64_t parse_whole_number(const std::string& option, const std::string& text,
                                std::int64_t low, std::int64_t high, const std::string& unit) {
  const char* const end = text.data() + text.size();
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (rest == end && error == std::errc() && value >= low && value <= high) return value;
  const bool has_limit = high < std::numeric_limits<std::int64_t>::max();
  reject(option + " is '" + text + "'; give a whole number " +
         (unit.empty() ? "" : "of " + unit + ' ') +
         (has_limit ? "from " + std::to_string(low) + " to " + std::to_string(high)
                    : "not below " + std::to_string(low)));
}

}  // namespace millrace::tools
