// SPDX-License-Identifier: Apache-2.0

// The event of a GpuQueue.
#ifndef MILLRACE_BACKENDS_GPU_HOST_GPU_EVENT_H_
#define MILLRACE_BACKENDS_GPU_HOST_GPU_EVENT_H_

#include <millrace/backends/gpu/host/stream_point.h>
#include <millrace/runtime/core/event.h>

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace millrace::MILLRACE_GPU {

// A point in a stream that the host may not have recorded yet.
class GpuEvent final : public EventState {
 public:
  // `recorded` is ready once the host has recorded `point` in its stream.
  GpuEvent(Event recorded, std::shared_ptr<const StreamPoint> point)
      : recorded_(std::move(recorded)), point_(std::move(point)) {}

  bool ready() const override { return recorded_.ready() && point_->is_reached(); }
  void when_ready(std::function<void()> action) override;
  void wait() override;
  std::chrono::steady_clock::time_point reached_at() const override;

  const Event& recorded() const { return recorded_; }
  const std::shared_ptr<const StreamPoint>& point() const { return point_; }

 private:
  const Event recorded_;
  const std::shared_ptr<const StreamPoint> point_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_GPU_EVENT_H_
