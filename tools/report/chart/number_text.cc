// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace millrace::tools {
namespace {

constexpr const char* kPrefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
constexpr int kNoPrefix = 4;
constexpr int kLastPrefix = 10;

std::string formatted(const char* format, int precision, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, precision, number);
  return text;
}

// Rounded first, so that 999.7 to three digits is 1.00 k.
double rounded(double number, int digits) {
  return std::strtod(formatted("%.*e", digits - 1, number).c_str(), nullptr);
}

int prefix_of(double number) {
  const int thousands = static_cast<int>(std::floor(std::log10(std::abs(number)) / 3 + 1e-12));
  return std::clamp(thousands + kNoPrefix, 0, kLastPrefix);
}

std::string with_prefix(const std::string& text, int prefix) {
  return prefix == kNoPrefix ? text : text + " " + kPrefixes[prefix];
}

bool is_unit_symbol(const std::string& unit) {
  const std::string symbol = unit.substr(0, unit.find('/'));
  return symbol == "s" || symbol == "B" || symbol == "J" || symbol == "Hz";
}

}  // namespace

std::string si_text(double number, int digits) {
  if (number == 0 || !std::isfinite(number)) return number == 0 ? "0" : "-";
  number = rounded(number, digits);
  const int prefix = prefix_of(number);
  const double scaled = number / std::pow(10, 3 * (prefix - kNoPrefix));
  const int before = 1 + static_cast<int>(std::floor(std::log10(std::abs(scaled)) + 1e-12));
  return with_prefix(formatted("%.*f", std::max(digits - std::max(before, 1), 0), scaled), prefix);
}

std::string tick_text(double number) {
  if (number == 0 || !std::isfinite(number)) return number == 0 ? "0" : "-";
  const double size = std::abs(number);
  const int prefix = size > 0.99e-3 && size < 1e3 ? kNoPrefix : prefix_of(rounded(number, 6));
  return with_prefix(formatted("%.*g", 6, number / std::pow(10, 3 * (prefix - kNoPrefix))), prefix);
}

std::string quantity_text(double number, const std::string& unit) {
  if (unit.empty()) return si_text(number);
  if (unit == "%" || unit == "times") return ratio_text(number) + " " + unit;
  const std::string text = si_text(number);
  const bool has_prefix = text.find(' ') != text.npos;
  return text + (is_unit_symbol(unit) && has_prefix ? "" : " ") + unit;
}

std::string figure_text(double number, const std::string& unit) {
  const bool is_short = unit == "%" || unit == "times" || is_unit_symbol(unit);
  return is_short ? quantity_text(number, unit) : si_text(number);
}

std::string ratio_text(double number) {
  if (!std::isfinite(number)) return "-";
  const double size = std::abs(number);
  if (size < 0.0995) return formatted("%.*g", 2, number);
  return formatted("%.*f", size < 9.995 ? 2 : size < 99.95 ? 1 : 0, number);
}

}  // namespace millrace::tools
