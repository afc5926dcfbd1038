// SPDX-License-Identifier: Apache-2.0

// Reads pictures on a thread of its own, some ahead of those that are taken.
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_READ_AHEAD_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_READ_AHEAD_H_

#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/read_picture.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace millrace::tools {

// next() is called by one thread at a time.
class PictureReadAhead {
 public:
  // Reads the next picture into memory that it may replace, and its facts; false at the end of the
  // clip, with facts alone. Returns soon after a stop request.
  using Read = std::function<bool(ReadPicture&, const std::stop_token&)>;

  // Calls `read` on another thread until it returns false or throws, at most `most` (at least 1)
  // pictures ahead of next(). Throws std::system_error if the system gives no thread.
  PictureReadAhead(std::size_t most, Read read);

  // Requests a call of `read` that has begun to stop, and waits for it.
  ~PictureReadAhead() = default;

  // Exchanges `picture` for the next one; at the end returns false and sets the facts alone. Throws
  // what `read` has thrown once the pictures before are taken. At the end and at an error, later
  // calls do the same.
  bool next(ReadPicture& picture);

 private:
  void work(const std::stop_token& stop);

  const std::size_t most_;
  const Read read_;

  std::mutex mutex_;  // Guards those below.
  std::condition_variable_any changed_;
  std::deque<ReadPicture> ready_;
  std::vector<Picture> unused_;  // Memory for later pictures.
  bool has_ended_ = false;
  ClipFacts end_;
  std::exception_ptr error_;

  std::jthread thread_;  // Ends before the members above do.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_READ_AHEAD_H_
