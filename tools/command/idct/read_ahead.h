// SPDX-License-Identifier: Apache-2.0

// Decodes the next frame of a clip while the current one is processed.
//
//   ReadAhead source(frames, reader);
//   source.read();
//   while (source.advance()) {
//     jobs.start([&] { source.read(); });
//     ... source.current(), source.previous() ...
//     jobs.wait();
//   }
#ifndef MILLRACE_TOOLS_COMMAND_IDCT_READ_AHEAD_H_
#define MILLRACE_TOOLS_COMMAND_IDCT_READ_AHEAD_H_

#include <millrace/tools/command/clip/clip_frames.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/video_reader.h>

#include <array>
#include <cstddef>
#include <exception>
#include <utility>

namespace millrace::tools {

// Owns three pictures: the previous frame, the current one and the next. read() may run on another
// thread while the other two are read; it ends before advance() is called.
class ReadAhead {
 public:
  // Both arguments outlive this object.
  ReadAhead(ClipFrames& frames, VideoReader& reader) : frames_(frames), reader_(reader) {}

  // Decodes the next frame. Keeps what the reader throws for advance().
  void read() noexcept {
    try {
      has_next_ = frames_.next([this] { return reader_.next(pictures_[(current_ + 1) % 3]); });
    } catch (...) {
      has_next_ = false;
      error_ = std::current_exception();
    }
  }

  // Makes the frame that read() decoded the current one; false if there was none. Throws what the
  // reader threw.
  bool advance() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    if (has_next_) current_ = (current_ + 1) % 3;
    return std::exchange(has_next_, false);
  }

  const Picture& current() const { return pictures_[current_]; }

  // The frame before the current one; there is none while the first is current.
  const Picture& previous() const { return pictures_[(current_ + 2) % 3]; }

 private:
  ClipFrames& frames_;
  VideoReader& reader_;
  std::array<Picture, 3> pictures_;
  std::size_t current_ = 0;
  bool has_next_ = false;
  std::exception_ptr error_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_IDCT_READ_AHEAD_H_
