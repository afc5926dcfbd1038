// SPDX-License-Identifier: Apache-2.0

// Ownership and messages of FFmpeg's libraries. Sources that call them include it, headers of this
// folder alone.
#ifndef MILLRACE_TOOLS_VIDEO_DECODER_LIBAV_H_
#define MILLRACE_TOOLS_VIDEO_DECODER_LIBAV_H_

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace millrace::tools {

struct LibavDeleter {
  void operator()(AVFormatContext* context) const { avformat_close_input(&context); }
  void operator()(AVIOContext* context) const {
    av_freep(static_cast<void*>(&context->buffer));
    avio_context_free(&context);
  }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(SwsContext* context) const { sws_freeContext(context); }
};

template <typename T>
using LibavPointer = std::unique_ptr<T, LibavDeleter>;

// Stops FFmpeg from printing in this process; its last error is kept instead. Clears the error kept
// so far. Any thread may call.
void keep_libav_errors();

// Receives messages of all levels that FFmpeg writes on the thread that constructed it, while it
// lives; only the last one constructed receives them. FFmpeg decodes on that thread if it is set to
// one thread.
class LibavListener {
 public:
  LibavListener();
  virtual ~LibavListener();
  LibavListener(const LibavListener&) = delete;
  LibavListener& operator=(const LibavListener&) = delete;

  // Returns true for the format of a message (as for printf) that receive() takes.
  virtual bool wants(std::string_view format) const = 0;
  virtual void receive(std::string_view message) = 0;

 private:
  LibavListener* const before_;
};

// Receives messages of the codec whose AVCodecContext::opaque it is, also those that FFmpeg writes
// on threads of its own.
class CodecListener {
 public:
  virtual ~CodecListener() = default;

  // Returns true for a level (AV_LOG_ERROR and so on) and a format (as for printf) of messages that
  // receive() takes. Both are called on any thread, several at a time.
  virtual bool wants(int level, std::string_view format) const = 0;
  virtual void receive(int level, std::string_view message) = 0;
};

// Makes `listener`, which must outlive the codec, receive its messages; before avcodec_open2().
void listen(AVCodecContext& codec, CodecListener& listener);

// Properties whose fields FFmpeg moved in version 6.1.
bool is_key_frame(const AVFrame& frame);
bool is_interlaced(const AVFrame& frame);
bool is_top_field_first(const AVFrame& frame);

// Returns the ticks that a frame is shown for; 0 if they are not known. FFmpeg renamed it in 5.1.
std::int64_t duration_of(const AVFrame& frame);

// Returns "(libav: REASON)", with the last error kept, or else the meaning of `code`.
std::string libav_reason(int code);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_DECODER_LIBAV_H_
