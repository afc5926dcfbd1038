// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/stream/sink_thread.h>

#include <utility>

namespace millrace::h264 {

SinkThread::SinkThread(PictureSink& sink, std::function<void()> on_wait)
    : sink_(sink), on_wait_(std::move(on_wait)), thread_([this] { serve(); }) {}

SinkThread::~SinkThread() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void SinkThread::decode(const std::shared_ptr<const ParsedPicture>& picture) {
  push({.function = [picture](PictureSink& sink) { sink.decode(picture); },
        .has_picture = true,
        .coefficient_bytes = picture->coefficients.list().size_bytes()});
}

void SinkThread::output(std::int64_t picture) {
  push({.function = [picture](PictureSink& sink) { sink.output(picture); }});
}

void SinkThread::release(std::int64_t picture) {
  push({.function = [picture](PictureSink& sink) { sink.release(picture); }});
}

void SinkThread::fault(const StreamFault& fault) {
  push({.function = [fault](PictureSink& sink) { sink.fault(fault); }});
}

void SinkThread::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return failure_ != nullptr || (calls_.empty() && !is_busy_); });
  throw_failure();
}

void SinkThread::push(Call call) {
  {
    std::unique_lock lock(mutex_);
    if (call.has_picture) {
      const auto may_go_on = [&] { return failure_ != nullptr || may_take(call); };
      if (on_wait_ && !may_go_on()) on_wait_();
      changed_.wait(lock, may_go_on);
      ++pictures_;
      coefficient_bytes_ += call.coefficient_bytes;
    }
    throw_failure();
    calls_.push_back(std::move(call));
  }
  changed_.notify_all();
}

bool SinkThread::may_take(const Call& call) const {
  if (pictures_ == 0) return true;
  return pictures_ < kMostPictures &&
         coefficient_bytes_ + call.coefficient_bytes <= kMostCoefficientBytes;
}

void SinkThread::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_closed_ || !calls_.empty(); });
    if (is_closed_) return;
    Call call = std::move(calls_.front());
    calls_.pop_front();
    run(std::move(call), lock);
    changed_.notify_all();
  }
}

void SinkThread::run(Call call, std::unique_lock<std::mutex>& lock) {
  is_busy_ = true;
  lock.unlock();
  std::exception_ptr failure;
  try {
    call.function(sink_);
  } catch (...) {
    failure = std::current_exception();
  }
  call.function = nullptr;  // Lets go of the picture.
  lock.lock();
  is_busy_ = false;
  if (call.has_picture) --pictures_;
  coefficient_bytes_ -= call.coefficient_bytes;
  if (failure == nullptr) return;
  failure_ = failure;
  calls_.clear();
}

void SinkThread::throw_failure() const {
  if (failure_ != nullptr) std::rethrow_exception(failure_);
}

}  // namespace millrace::h264
