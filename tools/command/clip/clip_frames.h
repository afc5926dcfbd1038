// SPDX-License-Identifier: Apache-2.0

// Checks that several ranks, each of which reads a copy of the clip, read the same.
#ifndef MILLRACE_TOOLS_COMMAND_CLIP_CLIP_FRAMES_H_
#define MILLRACE_TOOLS_COMMAND_CLIP_CLIP_FRAMES_H_

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/communicator.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/video/video_reader.h>

#include <cstdint>
#include <string>

namespace millrace::tools {

// Collective. Throws AgreedError (kInvalidArgument) if the ranks' clips differ in size or format,
// or their files in `sample`, the result of sample_of_file().
void compare_clips(Communicator& communicator, const std::string& path, const std::string& sample,
                   const VideoReader& reader);

// The frames that a rank reads of a clip. Used by one thread at a time.
class ClipFrames {
 public:
  // `limit` is the number of frames that are wanted, 0 for the whole clip. The guard outlives this
  // object.
  ClipFrames(std::int64_t limit, const InterruptGuard& interrupt)
      : limit_(limit), interrupt_(interrupt) {}

  // Returns true if read() was called and returned that there is another frame: not after the last
  // that is wanted, nor after a signal, by which read() may be cancelled.
  template <class Read>
  bool next(const Read& read) {
    is_used_ = true;
    has_ended_ = limit_ > 0 && frames_ >= limit_;
    if (has_ended_ || interrupt_.interrupted()) return false;
    try {
      has_ended_ = !read();
    } catch (const Error& error) {
      // A signal came while a pipe was waited for.
      if (!interrupt_.caused(error)) throw;
      return false;
    }
    if (!has_ended_) ++frames_;
    return !has_ended_;
  }

  // Collective; called when a rank has read its last frame. Returns the signal that a rank got, or
  // 0. Throws AgreedError (kIo) if there was no signal and the clip did not end after the same
  // frame on all ranks; a rank that has read nothing is ignored.
  int agree(Communicator& communicator, const std::string& path) const;

 private:
  const std::int64_t limit_;
  const InterruptGuard& interrupt_;
  std::int64_t frames_ = 0;
  bool is_used_ = false;
  bool has_ended_ = false;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_CLIP_CLIP_FRAMES_H_
