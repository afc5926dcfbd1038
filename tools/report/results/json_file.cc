// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/files/input/file_kind.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/report/results/json_file.h>

#include <cstddef>

namespace millrace::tools {
namespace {

// Throws for what is no text at all.
std::string contents_of(const std::string& path) {
  const PositionedFile file = PositionedFile::open(path);
  const FileKind kind = kind_of(file);
  if (kind.is_known() && kind.family != FileKind::Family::kText) {
    reject(rejection(file.name(), kind, "JSON"));
  }
  std::string text(file.bytes(), '\0');
  file.read(0, text.data(), text.size());
  return text;
}

// "line 3, column 7" of the byte behind the first `bytes`.
std::string position_in_text(const std::string& text, std::size_t bytes) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i < bytes && i < text.size(); ++i) {
    ++column;
    if (text[i] == '\n') ++line, column = 1;
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace

nlohmann::json read_json(const std::string& path, const std::string& advice) {
  const std::string text = contents_of(path);
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t before = error.byte == 0 ? 0 : error.byte - 1;
    const std::string position = position_in_text(text, before);
    reject(path + ": " +
           (text.empty()            ? "is empty"
            : before >= text.size() ? "is cut off at " + position
                                    : "is not JSON at " + position) +
           "; " + advice);
  } catch (const nlohmann::json::out_of_range&) {
    reject(path + ": has a number that is too large; the limit is about 1.8e308");
  }
}

}  // namespace millrace::tools
