#include <millrace/tools/video/libav.h>

#include <cstdarg>
#include <mutex>

namespace millrace::tools {
namespace {

// FFmpeg has one log for the process, written from its own threads too.
std::mutex mutex;
std::string last_error;

void keep(void* source, int level, const char* format, va_list arguments) {
  if (level > AV_LOG_ERROR) return;
  char line[512];
  int print_prefix = 0;
  av_log_format_line2(source, level, format, arguments, line, sizeof(line), &print_prefix);
  std::string message = line;
  message.erase(message.find_last_not_of(" \r\n.") + 1);
  for (char& letter : message) {
    if (letter == '\n' || letter == '\r') letter = ' ';
  }
  if (message.empty()) return;
  const std::lock_guard lock(mutex);
  last_error = message;
}

}  // namespace

void keep_libav_errors() {
  av_log_set_callback(keep);
  const std::lock_guard lock(mutex);
  last_error.clear();
}

std::string libav_reason(int code) {
  char meaning[AV_ERROR_MAX_STRING_SIZE] = "";
  av_strerror(code, meaning, sizeof(meaning));
  const std::lock_guard lock(mutex);
  return "(libav: " + (last_error.empty() ? std::string(meaning) : last_error) + ")";
}

}  // namespace millrace::tools
