#include <millrace/runtime/one_line.h>

#include <cstdio>

namespace millrace {

std::string one_line(const std::string& message) {
  std::string line;
  line.reserve(message.size());
  for (const char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      line += c;
    } else if (c == '\n') {
      line += "\\n";
    } else if (c == '\r') {
      line += "\\r";
    } else if (c == '\t') {
      line += "\\t";
    } else {
      char text[5];
      std::snprintf(text, sizeof text, "\\x%02x", byte);
      line += text;
    }
  }
  return line;
}

}  // namespace millrace
