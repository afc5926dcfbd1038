#include <millrace/runtime/error.h>

#include <millrace/runtime/one_line.h>

namespace millrace {

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
