// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/export/csv_row.h>

#include <csv.h>

#include <charconv>
#include <cstddef>

namespace millrace::tools {
namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted(2 * text.size() + 2, '\0');
  quoted.resize(csv_write(quoted.data(), quoted.size(), text.data(), text.size()));
  return quoted;
}

}  // namespace

std::string csv_row(const std::vector<std::string>& fields) {
  std::string row;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) row += ',';
    row += csv_field(fields[i]);
  }
  return row + '\n';
}

std::string exact_text(double number) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number);
  return error == std::errc() ? std::string(text, end) : "";
}

std::string exact_text(const std::optional<double>& number) {
  return number ? exact_text(*number) : "";
}

}  // namespace millrace::tools
