// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>

#include <cstdio>

namespace millrace {
namespace {

// Returns the message on one line. Control characters, which names of files and fields of tables
// may contain, are written as \n or \x1b, so that none ends the line or reaches a terminal.
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

}  // namespace

const char* to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument: return "InvalidArgument";
    case ErrorCode::kNotFound: return "NotFound";
    case ErrorCode::kUnsupported: return "Unsupported";
    case ErrorCode::kOutOfMemory: return "OutOfMemory";
    case ErrorCode::kTaskFailed: return "TaskFailed";
    case ErrorCode::kCancelled: return "Cancelled";
    case ErrorCode::kDeviceLost: return "DeviceLost";
    case ErrorCode::kIo: return "Io";
    case ErrorCode::kInternal: return "Internal";
  }
  return "Unknown";
}

Error::Error(ErrorCode code, const std::string& message, std::source_location where)
    : Error(code, message, 0, where) {}

Error::Error(ErrorCode code, const std::string& message, int detail, std::source_location where)
    : std::runtime_error(one_line(message)), code_(code), detail_(detail), where_(where) {}

}  // namespace millrace
