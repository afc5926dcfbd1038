// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/decoder/libav.h>

#include <cstdarg>
#include <cstdio>
#include <mutex>

#ifdef __SANITIZE_THREAD__
// FFmpeg's threads synchronise where ThreadSanitizer does not see it, since its libraries are not
// compiled for that.
// NOLINTNEXTLINE: ThreadSanitizer's name.
extern "C" const char* __tsan_default_suppressions() {
  return "race:libavcodec.so\nrace:libavutil.so\n";
}
#endif

namespace millrace::tools {
namespace {

// FFmpeg has one log for the process, written from its own threads too.
std::mutex mutex;
std::string last_error;

thread_local LibavListener* listener = nullptr;

void notify_listener(const char* format, va_list arguments) {
  if (listener == nullptr || !listener->wants(format)) return;
  char line[512];
  std::vsnprintf(line, sizeof line, format, arguments);
  listener->receive(line);
}

// FFmpeg copies a codec for each of its threads, with its class and its listener.
CodecListener* listener_of(void* source) {
  const bool is_codec =
      source != nullptr && *static_cast<const AVClass* const*>(source) == avcodec_get_class();
  if (!is_codec) return nullptr;
  return static_cast<CodecListener*>(static_cast<const AVCodecContext*>(source)->opaque);
}

void notify_codec(void* source, int level, const char* format, va_list arguments) {
  CodecListener* const codec = listener_of(source);
  if (codec == nullptr || !codec->wants(level, format)) return;
  char line[512];
  std::vsnprintf(line, sizeof line, format, arguments);
  codec->receive(level, line);
}

void keep(void* source, int level, const char* format, va_list arguments) {
  va_list copy;
  va_copy(copy, arguments);
  notify_listener(format, copy);
  va_end(copy);
  va_copy(copy, arguments);
  notify_codec(source, level, format, copy);
  va_end(copy);
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

LibavListener::LibavListener() : before_(listener) { listener = this; }

LibavListener::~LibavListener() { listener = before_; }

void listen(AVCodecContext& codec, CodecListener& listener) { codec.opaque = &listener; }

#ifdef AV_FRAME_FLAG_KEY
bool is_key_frame(const AVFrame& frame) { return (frame.flags & AV_FRAME_FLAG_KEY) != 0; }
#else
bool is_key_frame(const AVFrame& frame) { return frame.key_frame != 0; }
#endif

#ifdef AV_FRAME_FLAG_INTERLACED
bool is_interlaced(const AVFrame& frame) { return (frame.flags & AV_FRAME_FLAG_INTERLACED) != 0; }
bool is_top_field_first(const AVFrame& frame) {
  return (frame.flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
}
#else
bool is_interlaced(const AVFrame& frame) { return frame.interlaced_frame != 0; }
bool is_top_field_first(const AVFrame& frame) { return frame.top_field_first != 0; }
#endif

#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
std::int64_t duration_of(const AVFrame& frame) { return frame.duration; }
#else
std::int64_t duration_of(const AVFrame& frame) { return frame.pkt_duration; }
#endif

std::string libav_reason(int code) {
  char meaning[AV_ERROR_MAX_STRING_SIZE] = "";
  av_strerror(code, meaning, sizeof(meaning));
  const std::lock_guard lock(mutex);
  return "(libav: " + (last_error.empty() ? std::string(meaning) : last_error) + ")";
}

}  // namespace millrace::tools
