#include <millrace/backends/gpu/gpu_event.h>

namespace millrace::MILLRACE_GPU {

void GpuEvent::when_ready(std::function<void()> action) {
  recorded_.when_ready([point = point_, action = std::move(action)] {
    if (point->is_reached()) {
      action();
    } else {
      point->device().watcher().watch(point, action);
    }
  });
}

void GpuEvent::wait() {
  recorded_.wait();
  point_->wait();
}

}  // namespace millrace::MILLRACE_GPU
