// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/host/gpu_event.h>
#include <millrace/backends/gpu/host/streams/stream_watcher.h>

namespace millrace::MILLRACE_GPU {

void GpuEvent::when_ready(std::function<void()> action) {
  recorded_.when_ready([point = point_, action = std::move(action)] {
    if (point->is_reached()) {
      action();
    } else {
      point->device().watcher().watch([point] { return point->is_reached(); }, action);
    }
  });
}

void GpuEvent::wait() {
  recorded_.wait();
  point_->wait();
}

std::chrono::steady_clock::time_point GpuEvent::reached_at() const {
  return point_->reached_at().value_or(recorded_.reached_at());
}

}  // namespace millrace::MILLRACE_GPU
