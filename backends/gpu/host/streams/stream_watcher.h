// SPDX-License-Identifier: Apache-2.0

// Calls functions when streams reach points, without a thread that waits for each.
#ifndef MILLRACE_BACKENDS_GPU_HOST_STREAMS_STREAM_WATCHER_H_
#define MILLRACE_BACKENDS_GPU_HOST_STREAMS_STREAM_WATCHER_H_

#include <millrace/backends/gpu/api.h>

#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace millrace::MILLRACE_GPU {

// Thread-safe. Polls the points on a thread of its own, because vendors' callbacks may not make GPU
// calls, and the functions here do. The thread is created for the first point and sleeps while
// there are none. May be destroyed by a function that it calls.
class StreamWatcher {
 public:
  StreamWatcher();
  ~StreamWatcher();

  // Calls `action` once `is_reached`, which keeps the point alive, returns true. Both must be
  // short, and must not block or throw.
  void watch(std::function<bool()> is_reached, std::function<void()> action);

 private:
  struct Shared;
  static void serve(Shared& shared);

  const std::shared_ptr<Shared> shared_;
  std::once_flag thread_once_;
  std::thread thread_;
  const int generation_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_STREAMS_STREAM_WATCHER_H_
