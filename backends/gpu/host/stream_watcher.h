// SPDX-License-Identifier: Apache-2.0

// Calls functions when streams reach points, with nobody waiting.
#ifndef MILLRACE_BACKENDS_GPU_HOST_STREAM_WATCHER_H_
#define MILLRACE_BACKENDS_GPU_HOST_STREAM_WATCHER_H_

#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include <millrace/backends/gpu/api.h>

namespace millrace::MILLRACE_GPU {

class StreamPoint;

// Thread-safe. Asks for the points again and again on a thread of its own, which is made for the
// first of them and sleeps while there are none; vendors' callbacks may not make GPU calls, which
// ours do. May be destroyed by what it calls.
class StreamWatcher {
 public:
  StreamWatcher();
  ~StreamWatcher();

  // Calls `action` once `point` is reached. It must be short, must not block and must not throw.
  void watch(std::shared_ptr<const StreamPoint> point, std::function<void()> action);

 private:
  struct Shared;
  static void serve(Shared& shared);

  const std::shared_ptr<Shared> shared_;
  std::once_flag thread_once_;
  std::thread thread_;
  const int generation_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_STREAM_WATCHER_H_
