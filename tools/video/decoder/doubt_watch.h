// SPDX-License-Identifier: Apache-2.0

// Notices when a decoder of several threads has met anything but sound pictures.
#ifndef MILLRACE_TOOLS_VIDEO_DECODER_DOUBT_WATCH_H_
#define MILLRACE_TOOLS_VIDEO_DECODER_DOUBT_WATCH_H_

#include <millrace/tools/video/decoder/libav.h>

#include <atomic>
#include <string_view>

namespace millrace::tools {

// With threads by frame, FFmpeg may return a damaged frame without its flags, since they are copied
// before the frame is decoded. But it logs an error, a lost picture or a concealment before it
// returns a frame that they concern. Any thread may call the members.
class DoubtWatch : public CodecListener {
 public:
  bool is_raised() const { return is_raised_.load(std::memory_order_relaxed); }
  void raise() { is_raised_.store(true, std::memory_order_relaxed); }

  bool wants(int level, std::string_view format) const override;
  void receive(int level, std::string_view message) override;

 private:
  std::atomic<bool> is_raised_ = false;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_DECODER_DOUBT_WATCH_H_
