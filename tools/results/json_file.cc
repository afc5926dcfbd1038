#include <millrace/tools/results/json_file.h>

#include <cstddef>
#include <fstream>
#include <sstream>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  // Of a folder the stream opens, and the first read fails.
  if (!in || (in.peek() != std::ifstream::traits_type::eof() && !(text << in.rdbuf())) ||
      in.bad()) {
    throw Error(ErrorCode::kIo, path + ": cannot be read");
  }
  return text.str();
}

// "line 3, column 7" of the byte behind the first `bytes`.
std::string place_in_text(const std::string& text, std::size_t bytes) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i < bytes && i < text.size(); ++i) {
    ++column;
    if (text[i] == '\n') ++line, column = 1;
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace

nlohmann::json read_json(const std::string& path) {
  const std::string text = contents_of(path);
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t before = error.byte == 0 ? 0 : error.byte - 1;
    const std::string place = place_in_text(text, before);
    throw Error(ErrorCode::kInvalidArgument,
                path + ": " +
                    (text.empty()            ? "is empty"
                     : before >= text.size() ? "is cut off at " + place
                                             : "is not JSON at " + place));
  } catch (const nlohmann::json::out_of_range&) {
    throw Error(ErrorCode::kInvalidArgument, path + ": has a number that is too large");
  }
}

}  // namespace millrace::tools
