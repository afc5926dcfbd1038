// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/output/number_text.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>

namespace millrace::tools {
namespace {

// Returns the length of the UTF-8 sequence that `text` begins with; 0 for anything else (RFC 3629).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 2) return 0;
  }
  const bool is_overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool is_surrogate = first == 0xed && byte(1) >= 0xa0;
  const bool is_beyond = first == 0xf4 && byte(1) >= 0x90;
  return is_overlong || is_surrogate || is_beyond ? 0 : length;
}

}  // namespace

void append_number(std::string& text, double number) {
  char digits[32];
  constexpr double kMostWhole = 9007199254740992;  // 2^53
  const bool is_whole = std::abs(number) <= kMostWhole && number == std::trunc(number);
  const auto [end, error] =
      is_whole ? std::to_chars(digits, digits + sizeof digits, static_cast<std::int64_t>(number))
               : std::to_chars(digits, digits + sizeof digits, number);
  text.append(digits, end);
}

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char first = text.front();
    if (length == 0) {
      quoted += "\xef\xbf\xbd";
    } else if (first == '"' || first == '\\') {
      quoted += '\\';
      quoted += first;
    } else if (length == 1 && static_cast<unsigned char>(first) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(first));
      quoted += escape;
    } else {
      quoted += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return quoted + '"';
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

}  // namespace millrace::tools
