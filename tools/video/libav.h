// Ownership and messages of FFmpeg's libraries. Only this folder's sources include it.
#ifndef MILLRACE_TOOLS_VIDEO_LIBAV_H_
#define MILLRACE_TOOLS_VIDEO_LIBAV_H_

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <memory>
#include <string>

namespace millrace::tools {

struct LibavDeleter {
  void operator()(AVFormatContext* context) const { avformat_close_input(&context); }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(SwsContext* context) const { sws_freeContext(context); }
};

template <typename T>
using LibavPointer = std::unique_ptr<T, LibavDeleter>;

// From now on FFmpeg prints nothing in this process; its last error is kept instead. Forgets the
// one kept so far. Any thread may call.
void keep_libav_errors();

// "(libav: REASON)", where the reason is the last error kept or else the meaning of `code`.
std::string libav_reason(int code);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_LIBAV_H_
