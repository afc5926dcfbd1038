// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/tables/decimal_number.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace millrace::tools {
namespace {

constexpr double kWholeNumbers = 0x1p53;  // Up to here, each whole number is a double.
constexpr std::string_view kWhitespace = " \t\r\n";
constexpr std::string_view kMinusSign = "\xE2\x88\x92";  // U+2212.

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kWhitespace);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kWhitespace) + 1 - first);
}

// Returns true if the digits, which are out of a double's range, are closer to 0 than all doubles.
bool is_tiny(std::string_view digits) {
  if (digits.starts_with('-')) digits.remove_prefix(1);
  const std::size_t mark = std::min(digits.find_first_of("eE"), digits.size());
  long exponent = 0;
  if (mark < digits.size()) {
    std::string_view power = digits.substr(mark + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const auto parsed = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (parsed.ec == std::errc::result_out_of_range) return power.starts_with('-');
  }
  const std::string_view mantissa = digits.substr(0, mark);
  const auto whole = static_cast<long>(std::min(mantissa.find('.'), mantissa.size()));
  const std::size_t first = mantissa.find_first_not_of("0.");
  if (first == mantissa.npos) return true;
  const long position =
      static_cast<long>(first);  // Digits before the point count from 0, as those behind it do.
  return exponent < (position < whole ? position - whole : position - whole - 1);
}

// Reads digits with a point.
bool parse(std::string_view digits, double& number) {
  const char* const begin = digits.data();
  const char* const end = begin + digits.size();
  const auto [rest, error] = std::from_chars(begin, end, number);
  if (rest != end || digits.empty()) return false;
  if (error == std::errc::result_out_of_range && is_tiny(digits)) {
    number = digits.starts_with('-') ? -0.0 : 0.0;
    return true;
  }
  return error == std::errc() && std::isfinite(number);
}

}  // namespace

bool parse_decimal_number(std::string_view text, double& number, DecimalMark mark) {
  text = trimmed(text);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with(kMinusSign)) return false;
  }
  const bool has_sign = text.starts_with(kMinusSign);
  if (!has_sign && mark == DecimalMark::kPoint) return parse(text, number);
  std::string digits(has_sign ? text.substr(kMinusSign.size()) : text);
  if (has_sign) digits.insert(digits.begin(), '-');
  if (mark == DecimalMark::kComma) {
    if (digits.find('.') != digits.npos) return false;
    const std::size_t comma = digits.find(',');
    if (comma != digits.npos) digits[comma] = '.';
  }
  return parse(digits, number);
}

bool is_exact(std::string_view text, double number) {
  if (std::abs(number) < kWholeNumbers) return true;
  text = trimmed(text);
  if (text.find_first_of("eE") != text.npos) return true;
  for (const std::string_view sign : {std::string_view("+"), std::string_view("-"), kMinusSign}) {
    if (text.starts_with(sign)) text.remove_prefix(sign.size());
  }
  char exact[400];
  const auto [end, error] =
      std::to_chars(exact, exact + sizeof exact, std::abs(number), std::chars_format::fixed, 0);
  const std::size_t first = std::min(text.find_first_not_of('0'), text.size());
  const std::size_t mark = std::min(text.find_first_of(".,"), text.size());
  const std::string_view whole(exact, static_cast<std::size_t>(end - exact));
  return error == std::errc() && text.substr(first, mark - first) == whole &&
         text.find_first_not_of(".,0", mark) == text.npos;
}

}  // namespace millrace::tools
