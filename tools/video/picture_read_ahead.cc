// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/picture_read_ahead.h>

#include <utility>

namespace millrace::tools {

PictureReadAhead::PictureReadAhead(std::size_t most, Read read)
    : most_(most),
      read_(std::move(read)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

bool PictureReadAhead::next(ReadPicture& picture) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return has_ended_ || !ready_.empty(); });
  if (ready_.empty()) {
    if (error_ != nullptr) std::rethrow_exception(error_);
    picture.facts = end_;
    return false;
  }
  unused_.push_back(std::move(picture.picture));
  picture = std::move(ready_.front());
  ready_.pop_front();
  changed_.notify_all();
  return true;
}

void PictureReadAhead::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return ready_.size() < most_; }) &&
         !stop.stop_requested()) {
    ReadPicture next;
    if (!unused_.empty()) {
      next.picture = std::move(unused_.back());
      unused_.pop_back();
    }
    lock.unlock();
    bool is_there = false;
    std::exception_ptr error;
    try {
      is_there = read_(next, stop);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (is_there) {
      ready_.push_back(std::move(next));
    } else {
      end_ = std::move(next.facts);
      error_ = error;
      has_ended_ = true;
    }
    changed_.notify_all();
    if (has_ended_) return;
  }
}

}  // namespace millrace::tools
