// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/host/streams/stream_watcher.h>
#include <millrace/runtime/host/process/process.h>

#include <chrono>
#include <condition_variable>
#include <utility>
#include <vector>

namespace millrace::MILLRACE_GPU {

struct StreamWatcher::Shared {
  struct Watched {
    std::function<bool()> is_reached;
    std::function<void()> action;
  };

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Watched> added;
  bool is_closed = false;
};

StreamWatcher::StreamWatcher()
    : shared_(std::make_shared<Shared>()), generation_(process_generation()) {}

StreamWatcher::~StreamWatcher() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->is_closed = true;
    shared_->changed.notify_all();
  }
  // The thread does not exist in a forked child.
  const bool is_forked = generation_ != process_generation();
  if (thread_.get_id() == std::this_thread::get_id() || (is_forked && thread_.joinable())) {
    thread_.detach();
  } else if (thread_.joinable()) {
    thread_.join();
  }
}

void StreamWatcher::watch(std::function<bool()> is_reached, std::function<void()> action) {
  std::call_once(thread_once_,
                 [this] { thread_ = std::thread([shared = shared_] { serve(*shared); }); });
  const std::lock_guard lock(shared_->mutex);
  shared_->added.push_back({std::move(is_reached), std::move(action)});
  shared_->changed.notify_all();
}

void StreamWatcher::serve(Shared& shared) {
  constexpr auto kPause = std::chrono::microseconds(20);
  std::vector<Shared::Watched> watched;
  for (;;) {
    {
      std::unique_lock lock(shared.mutex);
      const auto is_changed = [&shared] { return shared.is_closed || !shared.added.empty(); };
      if (watched.empty()) {
        shared.changed.wait(lock, is_changed);
      } else {
        shared.changed.wait_for(lock, kPause, is_changed);
      }
      if (shared.is_closed) return;
      for (auto& one : shared.added) watched.push_back(std::move(one));
      shared.added.clear();
    }
    std::erase_if(watched, [](const Shared::Watched& one) {
      const bool is_reached = one.is_reached();
      if (is_reached) one.action();
      return is_reached;
    });
  }
}

}  // namespace millrace::MILLRACE_GPU
